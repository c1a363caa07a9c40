/// The secrets of a scenario and what replaces them.
struct SecretBook: Sendable {
  /// A secret and its name.
  struct Secret: Sendable {
    let value: [UInt8]
    let placeholder: Placeholder
    let standing: Standing

    /// Whether the value is replaced wherever it stands.
    var isKnown: Bool { standing == .everywhere }
  }

  /// Where a value means one secret.
  enum Standing: Sendable {
    /// Wherever it stands: it is long and random, or was named by the user.
    case everywhere
    /// Under every name of a secret.
    case underAnyName
    /// Under its own name: the same number may be the code of a door and of a card.
    case underItsName
  }

  /// A value that means a secret only under its name.
  private struct LocalKey: Hashable {
    /// `nil` if it means one under every name.
    let name: String?
    let value: [UInt8]
  }

  /// The names that an older recording has for secrets, by those that they would get.
  private let renamed: [Placeholder: Placeholder]
  /// The secrets in the order in which they were found.
  private(set) var secrets: [Secret] = []
  private var known: [[UInt8]: Placeholder] = [:]
  private var local: [LocalKey: Placeholder] = [:]
  /// The highest number of each name.
  private var numbers: [String: Int] = [:]
  /// The highest number of each name that is taken by the older recording.
  private var reserved: [String: Int] = [:]
  /// How many secrets each name was given to.
  private var given: [String: Int] = [:]
  /// The names that secrets would have without ``renamed``.
  private var firstNames: [Placeholder: Placeholder] = [:]
  /// What was made up, so that no two secrets have the same value.
  private var madeUp: [[UInt8]: Placeholder] = [:]

  /// - Parameter renamed: The names that secrets get in place of those that they would get.
  init(renamed: [Placeholder: Placeholder] = [:]) {
    self.renamed = renamed
    for placeholder in renamed.values {
      reserved[placeholder.name] = max(reserved[placeholder.name] ?? 0, placeholder.number)
    }
  }

  /// Notes that a placeholder occurs in a recording: its name is taken.
  mutating func note(_ placeholder: Placeholder) {
    reserved[placeholder.name] = max(reserved[placeholder.name] ?? 0, placeholder.number)
  }

  /// Adds a secret that the user named: `API_KEY`, or `API_KEY-2` for one placeholder.
  mutating func add(_ value: [UInt8], named name: String) {
    guard let placeholder = Placeholder(identifier: name) else {
      _ = self.placeholder(for: value, named: Placeholder.name(from: name), standing: .everywhere)
      return
    }
    guard known[value] == nil else { return }
    note(placeholder)
    known[value] = placeholder
    secrets.append(Secret(value: value, placeholder: placeholder, standing: .everywhere))
  }

  /// Returns the placeholder of a value. Learns it if it is new.
  mutating func placeholder(for value: [UInt8], named name: String, standing: Standing) -> Placeholder {
    if let placeholder = known[value] { return placeholder }
    let key = LocalKey(name: standing == .underItsName ? name : nil, value: value)
    if let placeholder = local[key] { return placeholder }
    let placeholder = next(name)
    if standing == .everywhere { known[value] = placeholder } else { local[key] = placeholder }
    secrets.append(Secret(value: value, placeholder: placeholder, standing: standing))
    return placeholder
  }

  /// Forgets the secrets that were found after the first ones.
  mutating func keepFirst(_ count: Int) {
    for secret in secrets[count...] {
      if secret.isKnown {
        known[secret.value] = nil
      } else {
        let name = secret.standing == .underItsName ? secret.placeholder.name : nil
        local[LocalKey(name: name, value: secret.value)] = nil
      }
    }
    secrets.removeSubrange(count...)
  }

  /// Returns the placeholder of a value that is a secret wherever it stands; `nil` if it is none.
  func placeholder(ofKnown value: [UInt8]) -> Placeholder? { known[value] }

  /// Returns the name that a secret would have without those of an older recording.
  func firstName(of placeholder: Placeholder) -> Placeholder { firstNames[placeholder] ?? placeholder }

  private mutating func next(_ name: String) -> Placeholder {
    given[name, default: 0] += 1
    let first = Placeholder(name: name, number: given[name] ?? 1)
    let number = max(numbers[name] ?? 0, reserved[name] ?? 0) + 1
    let placeholder = renamed[first] ?? Placeholder(name: name, number: number)
    if renamed[first] == nil { numbers[name] = number }
    firstNames[placeholder] = first
    return placeholder
  }

  /// Returns the value that stands in place of a secret which no placeholder can replace.
  mutating func madeUpValue(_ kind: ValueKind, like value: [UInt8], for placeholder: Placeholder) -> [UInt8] {
    var other = value
    for attempt in 0..<100 {
      let next = kind.madeUp(like: value, for: placeholder, attempt: attempt)
      guard next != value else { continue }
      other = next
      if madeUp[other] ?? placeholder == placeholder { break }
    }
    // Of a kind with few values, such as a number of one digit, several secrets may get one.
    madeUp[other] = placeholder
    return other
  }
}

extension SecretValues {
  /// Where a value means one secret.
  static func standing(of value: [UInt8]) -> SecretBook.Standing {
    guard value.count >= 8, !isTrivial(value), !isOrdinaryWord(value) else { return .underItsName }
    let isMixed = value.contains(where: \.isDigit) && value.contains(where: \.isLetter)
    // Digits alone are ids and times as well, and words joined by hyphens names.
    let isLong =
      isMixed && value.count >= 12 && !value.contains(0x20) || value.count >= 20 && Set(value).count >= 10
    // `GTHX7VKQ4` is no word with a year.
    let changes = zip(value, value.dropFirst()).count {
      $0.isDigit && $1.isLetter || $0.isLetter && $1.isDigit
    }
    if isRandom(value) || isLong || changes >= 3 { return .everywhere }
    return isMixed ? .underAnyName : .underItsName
  }
}

extension SecretBook: HidesContent {}
extension SecretBook.Secret: HidesContent {}
