/// How urgent a request is where requests wait for one another (``ConcurrencyLimit``).
///
/// It orders the waiting within this process; nothing of it is sent.
@nonexhaustive
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// Something that nobody waits for, such as prefetching.
  case background
  /// Less urgent than most.
  case low
  /// Nothing special.
  case normal
  /// Something that a person waits for at this moment.
  case high

  /// Whether the first is less urgent.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension RequestOptions {
  static let priority = RequestOption<RequestPriority>("priority", default: RequestPriority.normal)

  /// How urgent a request is; ``RequestPriority/normal`` by default.
  public var priority: RequestPriority {
    get { self[Self.priority] }
    set { self[Self.priority] = newValue }
  }
}
