import StagecoachFormats
import TestSupport
import Testing

/// Random parameters are encoded and read back by a decoder that shares no code with the encoder.
@Suite struct QueryEncoderPropertyTests {
  private static let escapings: [QueryEncoder.Escaping] = [.afnetworking, .strict, .form, .literalBrackets]

  @Test(arguments: escapings, 1...6)
  func leavesComeBack(escaping: QueryEncoder.Escaping, seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var encoder = QueryEncoder()
    encoder.escaping = escaping
    encoder.keyOrder = .asGiven
    encoder.arrayStyle = .indexed
    for _ in 0..<100 {
      let parameters = Parameters.random(depth: 3, using: &random)
      let query = try encoder.encode(parameters)
      #expect(pairs(of: query, plusIsSpace: escaping == .form) == leaves(of: parameters))
    }
  }

  @Test(arguments: escapings, 1...3)
  func outputHasAllowedCharactersOnly(escaping: QueryEncoder.Escaping, seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._%=&".utf8)
    switch escaping {
    case .afnetworking: allowed.formUnion("~/?".utf8)
    case .strict: allowed.formUnion("~".utf8)
    case .literalBrackets: allowed.formUnion("~[]".utf8)
    case .form: allowed.formUnion("*+".utf8)
    @unknown default: Issue.record("an escaping without a rule")
    }
    var encoder = QueryEncoder()
    encoder.escaping = escaping
    for _ in 0..<100 {
      let bytes = Array(try encoder.encode(.random(depth: 3, using: &random)).utf8)
      #expect(allowed.isSuperset(of: bytes))
      for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
        let digits = bytes[(index + 1)...].prefix(2)
        #expect(digits.count == 2 && digits.allSatisfy { "0123456789ABCDEF".utf8.contains($0) })
      }
    }
  }

  @Test(arguments: 1...6)
  func sortingOnlyReorders(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    for _ in 0..<50 {
      let parameters = Parameters.random(depth: 3, using: &random)
      var encoder = QueryEncoder()
      let sorted = try encoder.encode(parameters)
      encoder.keyOrder = .asGiven
      let asGiven = try encoder.encode(parameters)
      #expect(sorted.split(separator: "&").sorted() == asGiven.split(separator: "&").sorted())
      #expect(try QueryEncoder().encode(Parameters(parameters.members.sorted { $0.key < $1.key })) == sorted)
    }
  }
}

/// A key and its value as they stand in a query, not escaped.
struct Pair: Equatable {
  var key: String
  var value: String?
}

private func pairs(of query: String, plusIsSpace: Bool) -> [Pair] {
  func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
  if query.isEmpty { return [] }
  return query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
    let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return Pair(key: decoded(halves[0]), value: halves.count > 1 ? decoded(halves[1]) : nil)
  }
}

/// The pairs that an encoder makes of parameters, with arrays in the indexed style.
func leaves(of parameters: Parameters) -> [Pair] {
  parameters.members.flatMap { leaves(of: $0.value, key: $0.key) }
}

private func leaves(of value: ParameterValue, key: String) -> [Pair] {
  switch value {
  case .null: [Pair(key: key)]
  case .bool(let value): [Pair(key: key, value: value ? "1" : "0")]
  case .int(let value): [Pair(key: key, value: "\(value)")]
  case .double(let value): [Pair(key: key, value: "\(value)")]
  case .string(let value): [Pair(key: key, value: value)]
  case .date, .data: []
  case .array(let elements):
    elements.enumerated().flatMap { leaves(of: $0.element, key: "\(key)[\($0.offset)]") }
  case .set(let elements): elements.flatMap { leaves(of: $0, key: key) }
  case .object(let object): object.members.flatMap { leaves(of: $0.value, key: "\(key)[\($0.key)]") }
  }
}

extension Parameters {
  /// Parameters of random values, with text of all kinds.
  static func random(depth: Int, using random: inout SplitMix) -> Parameters {
    Parameters(
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        // A key that is empty would, alone and with a null, give the empty query.
        Member(key: "k" + text(using: &random), value: value(depth: depth, using: &random))
      }
    )
  }

  private static func value(depth: Int, using random: inout SplitMix) -> ParameterValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .int(Int(truncatingIfNeeded: random.next()))
    case 3: .double(Double(Int.random(in: -1_000...1_000, using: &random)) + 0.25)
    case 4, 5: .string(text(using: &random))
    case 6: .set([.string(text(using: &random))])
    case 7:
      .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1, using: &random) }
      )
    default: .object(.random(depth: depth - 1, using: &random))
    }
  }
}

/// Text of characters that mean something in queries, and of any others.
func text(using random: inout SplitMix) -> String {
  let pieces = [
    "a", "Z", "9", " ", "+", "%", "%20", "&", "=", "#", "?", "/", "[", "]", ",", ";", "~", "*", "\"", "\n",
    "\u{0}",
    "ä", "€", "e\u{301}", "👴🏿", "👩‍👩‍👧", "\u{10FFFF}",
  ]
  return (0..<Int.random(in: 0...5, using: &random)).map { _ in
    let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)).map(String.init)
    return Bool.random(using: &random) ? scalar ?? "" : pieces.randomElement(using: &random) ?? ""
  }.joined()
}
