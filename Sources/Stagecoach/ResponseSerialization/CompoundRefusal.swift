/// Why each member of a compound serializer refused a response.
public struct CompoundRefusal: Error, CustomStringConvertible {
  /// One member's refusal.
  public struct Refusal: Sendable, CustomStringConvertible {
    /// The name of the serializer.
    public let serializer: String
    /// Why it refused.
    public let reason: String
    /// What it threw; nil if it was not asked, since it does not accept the response.
    public let error: (any Error)?

    init(serializer: String, reason: String) {
      self.serializer = serializer
      self.reason = reason
      error = nil
    }

    init(serializer: String, error: any Error) {
      self.serializer = serializer
      reason = (error as? ExchangeError)?.message ?? Format.describe(error)
      self.error = error
    }

    /// The name and the reason.
    public var description: String { "\(serializer): \(reason)" }
  }

  /// The refusals, in the order in which members were asked.
  public let refusals: [Refusal]

  /// Each member with its reason.
  public var description: String { refusals.map(\.description).joined(separator: "; ") }
}
