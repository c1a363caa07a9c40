/// A set of characters of a regular expression.
struct PatternCharacters: Sendable {
  indirect enum Members: Sendable {
    case range(ClosedRange<Unicode.Scalar>)
    case category(PatternCategory)
    case union([Members])
    case intersection(Members, Members)
    case difference(Members, Members)
    case inverted(Members)
    /// Both cases of each member.
    case folded(Members)

    static func scalar(_ scalar: Unicode.Scalar) -> Members { .range(scalar...scalar) }
  }

  let members: Members
  /// Whether the characters of ASCII are in the set, a bit each.
  private let ascii: (UInt64, UInt64)
  /// The steps of a look-up beyond ASCII.
  let cost: Int

  init(_ members: Members) {
    self.members = members
    cost = members.count
    ascii = (Self.bits(0..<64, members), Self.bits(64..<128, members))
  }

  private static func bits(_ range: Range<UInt8>, _ members: Members) -> UInt64 {
    range.reduce(0) { bits, value in
      members.contains(Unicode.Scalar(value)) ? bits | 1 << UInt64(value - range.lowerBound) : bits
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<64: ascii.0 >> UInt64(scalar.value) & 1 == 1
    case 64..<128: ascii.1 >> UInt64(scalar.value - 64) & 1 == 1
    default: members.contains(scalar)
    }
  }

  /// The only member, if it is one character that is written so.
  var single: Unicode.Scalar? {
    if case .range(let range) = members, range.lowerBound == range.upperBound {
      range.lowerBound
    } else {
      nil
    }
  }
}

extension PatternCharacters.Members {
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .range(let range): range.contains(scalar)
    case .category(let category): category.contains(scalar)
    case .union(let members): members.contains { $0.contains(scalar) }
    case .intersection(let a, let b): a.contains(scalar) && b.contains(scalar)
    case .difference(let a, let b): a.contains(scalar) && !b.contains(scalar)
    case .inverted(let members): !members.contains(scalar)
    case .folded(let members):
      members.contains(scalar) || scalar.caseVariants.contains { members.contains($0) }
    }
  }

  fileprivate var count: Int {
    switch self {
    case .range, .category: 1
    case .union(let members): members.reduce(1) { $0 + $1.count }
    case .intersection(let a, let b), .difference(let a, let b): a.count + b.count
    case .inverted(let members): members.count
    case .folded(let members): 5 * members.count
    }
  }
}

extension Unicode.Scalar {
  /// The scalar in lower and in upper case, and these in the other case, where each is one scalar.
  fileprivate var caseVariants: [Unicode.Scalar] {
    let (lower, upper) = (lowercase, uppercase)
    return [lower, upper, lower.uppercase, upper.lowercase]
  }

  private var lowercase: Unicode.Scalar {
    let mapping = properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping[mapping.startIndex] : self
  }

  private var uppercase: Unicode.Scalar {
    let mapping = properties.uppercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping[mapping.startIndex] : self
  }
}
