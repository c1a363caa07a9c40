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

/// How urgent a request is; ``RequestPriority/normal`` by default.
public enum RequestPriorityOption: RequestOptionKey {
  /// Normal.
  public static let defaultValue = RequestPriority.normal
  /// `priority`
  public static let name = "priority"
}

extension RequestOptions {
  /// See ``RequestPriorityOption``.
  public var priority: RequestPriority {
    get { self[RequestPriorityOption.self] }
    set { self[RequestPriorityOption.self] = newValue }
  }
}
