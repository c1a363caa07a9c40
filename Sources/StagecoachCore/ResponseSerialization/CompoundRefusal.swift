/// Why each member of a compound serializer refused a response.
public struct CompoundRefusal: Error, CustomStringConvertible {
  /// One member's refusal.
  public struct Refusal: Sendable, CustomStringConvertible {
    /// The name of the serializer.
    public let serializer: String
    /// Why it refused.
    public let reason: String
    /// What it threw, without the body, of which the error over all refusals has the start; nil if it was not
    /// asked, since it does not accept the response.
    public let error: (any Error)?

    /// A refusal without being asked.
    public init(serializer: String, reason: String) {
      self.serializer = serializer
      self.reason = reason
      error = nil
    }

    /// A refusal by an error.
    public init(serializer: String, error: any Error) {
      self.serializer = serializer
      guard var failure = error as? ExchangeError else {
        (reason, self.error) = (Format.describe(error), error)
        return
      }
      failure.bodyPrefix = Bytes()
      (reason, self.error) = (failure.message, failure)
    }

    /// The name and the reason.
    public var description: String { "\(serializer): \(reason)" }
  }

  /// The refusals, in the order in which members were asked.
  public let refusals: [Refusal]

  /// Each member with its reason.
  public var description: String { refusals.map(\.description).joined(separator: "; ") }
}
