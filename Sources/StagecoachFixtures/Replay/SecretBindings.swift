/// Which live values stand for which recorded secrets in one replay.
///
/// A value keeps the secret that it was bound to, and no other value takes that. Values of different names have nothing to
/// do with each other: a number may be a password here and an amount there.
struct SecretBindings {
  /// The number of values that are remembered.
  static let limit = 10_000

  fileprivate struct Key: Hashable {
    let name: String
    let value: [UInt8]
  }

  /// The secrets of a scenario, by what stands for them in it.
  struct Identities: Sendable {
    fileprivate var placeholders: Set<Placeholder> = []
    fileprivate var madeUp: [Key: Placeholder] = [:]

    mutating func add(_ message: RedactedMessage) {
      placeholders.formUnion(message.placeholders)
      for (placeholder, value) in message.madeUp {
        madeUp[Key(name: placeholder.name, value: value)] = placeholder
      }
    }
  }

  private let recorded: Identities
  private var values: [Placeholder: [UInt8]] = [:]
  private var secrets: [Key: Placeholder] = [:]

  init(_ recorded: Identities) { self.recorded = recorded }

  /// How values stand for the secrets that a recorded request has in their places.
  enum Fit {
    /// They may; so many of them for the first time.
    case fits(new: Int)
    /// A value stands for another secret, or another value for the secret.
    case isOther(Placeholder)
  }

  func fit(_ found: [(Placeholder, [UInt8])]) -> Fit {
    var new: [Placeholder: [UInt8]] = [:]
    var newSecrets: [Key: Placeholder] = [:]
    var count = 0
    for (placeholder, value) in found {
      if SecretJudge.isOneTime(placeholder.name) {
        count += 1
        continue
      }
      let key = Key(name: placeholder.name, value: value)
      if let known = identity(of: key) ?? newSecrets[key] {
        guard known == placeholder else { return .isOther(placeholder) }
        continue
      }
      guard (values[placeholder] ?? new[placeholder]) == nil else { return .isOther(placeholder) }
      new[placeholder] = value
      newSecrets[key] = placeholder
      count += 1
    }
    return .fits(new: count)
  }

  /// The secret that a value stands for; `nil` if it was never seen.
  private func identity(of key: Key) -> Placeholder? {
    if let placeholder = Placeholder(exactly: key.value), recorded.placeholders.contains(placeholder) {
      return placeholder
    }
    return recorded.madeUp[key] ?? secrets[key]
  }

  /// Remembers values that fit.
  mutating func bind(_ found: [(Placeholder, [UInt8])]) {
    for (placeholder, value) in found where !SecretJudge.isOneTime(placeholder.name) {
      let key = Key(name: placeholder.name, value: value)
      guard values.count < Self.limit, values[placeholder] == nil, identity(of: key) == nil else { continue }
      values[placeholder] = value
      secrets[key] = placeholder
    }
  }

  /// Returns the values of those secrets that have one.
  func values(of placeholders: Set<Placeholder>) -> [Placeholder: [UInt8]] {
    guard !values.isEmpty, !placeholders.isEmpty else { return [:] }
    return placeholders.reduce(into: [:]) { found, placeholder in
      if let value = values[placeholder] { found[placeholder] = value }
    }
  }
}

extension SecretBindings: HidesContent {}
