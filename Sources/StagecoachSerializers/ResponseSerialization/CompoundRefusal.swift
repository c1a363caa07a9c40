import StagecoachCore

/// The reasons that the members of a compound serializer refused a response.
public struct CompoundRefusal: Error, CustomStringConvertible {
  /// The refusal of one member.
  public struct Refusal: Sendable, CustomStringConvertible {
    /// The name of the serializer.
    public let serializer: String
    /// The reason of the refusal.
    public let reason: String
    /// The error of the member, without the body, whose start is in the error over all refusals; `nil` if the member
    /// was not tried because it does not accept the response.
    public let error: (any Error)?

    /// Creates a refusal of a member that was not tried.
    public init(serializer: String, reason: String) {
      self.serializer = serializer
      self.reason = reason
      error = nil
    }

    /// Creates a refusal from an error.
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

  /// The refusals, in the order in which members were tried.
  public let refusals: [Refusal]

  /// The members with their reasons.
  public var description: String { refusals.map(\.description).joined(separator: "; ") }
}
