/// The reason that a stage ended an exchange. Each stage has its own type of reasons.
///
/// ```swift
/// enum QuotaFailure: String, StageFailure {
///   case exhausted, unknownPlan
///   var description: String { "quota.\(rawValue)" }
/// }
/// throw ExchangeError(.stageFailure(QuotaFailure.exhausted), "the quota of today is used up")
/// ```
public protocol StageFailure: Sendable, CustomStringConvertible {
  /// A stable, unique name, such as `redirect.tooMany`, by which kinds of errors are compared.
  var description: String { get }

  /// Advice on how to resolve the failure, used if the error has none; `nil` by default.
  var advice: String? { get }

  /// Whether the same request may succeed later, so that it is retried; `false` by default.
  var isTransient: Bool { get }
}

/// A reason whose messages are lists of lines: the library makes them, of texts that have been made harmless.
package protocol ListingStageFailure: StageFailure {}

extension StageFailure {
  /// The default: no advice.
  public var advice: String? { nil }

  /// The default: the request fails again.
  public var isTransient: Bool { false }
}
