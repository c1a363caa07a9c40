/// The priority of a request that waits for a slot or a connection.
///
/// It orders requests within this process; it is not sent.
@nonexhaustive
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// A background task, such as prefetching.
  case background
  /// Below the default.
  case low
  /// The default.
  case normal
  /// A request that the user is waiting for.
  case high

  /// Returns whether the first priority is lower.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension RequestOptions {
  static let priority = RequestOption<RequestPriority>(
    "priority",
    default: RequestPriority.normal,
    distinguishes: false
  )

  /// The priority of the request; ``RequestPriority/normal`` by default.
  public var priority: RequestPriority {
    get { self[Self.priority] }
    set { self[Self.priority] = newValue }
  }
}
