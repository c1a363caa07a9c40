/// How far a transfer has come: a value that never changes once it is taken.
///
/// Over the life of a transfer the counts never decrease, also when it is paused, resumed or sent again. Only when the
/// content has to be fetched anew from its first byte does ``received`` start at zero again, with a higher
/// ``restarts``.
public struct TransferProgress: Sendable, Hashable {
  /// The bytes that went one way.
  public struct Count: Sendable, Hashable {
    /// The number of bytes so far.
    public var bytes: Int64 = 0
    /// The number of bytes in all; `nil` if it is not known.
    public var total: Int64?
    /// The bytes per second over the last few seconds; 0 until it is known, and while nothing moves.
    public var rate: Double = 0

    /// The part that is done, from 0 to 1; `nil` if the total is not known.
    public var fraction: Double? {
      guard let total else { return nil }
      return total > 0 ? min(Double(bytes) / Double(total), 1) : 1
    }

    /// The time that the rest takes at the current rate; `nil` if the total or the rate is not known.
    public var remaining: Duration? {
      guard let total, rate > 0 else { return nil }
      return .seconds(min(Double(max(total - bytes, 0)) / rate, 1e9))
    }

    /// Creates a count.
    public init(bytes: Int64 = 0, total: Int64? = nil, rate: Double = 0) {
      self.bytes = bytes
      self.total = total
      self.rate = rate
    }
  }

  /// The bytes of the request's content.
  public var sent = Count()
  /// The bytes of the content of the response, those that were kept from before included.
  public var received = Count()
  /// How often the content was fetched anew from its first byte.
  public var restarts = 0

  /// Creates a progress of nothing.
  public init() {}
}

extension TransferProgress: CustomStringConvertible {
  /// The counts, such as `received 10 of 20 bytes`.
  public var description: String {
    func text(_ name: String, _ count: Count) -> String? {
      guard count.bytes > 0 || count.total != nil else { return nil }
      return "\(name) \(count.bytes)\(count.total.map { " of \($0)" } ?? "") bytes"
    }
    let parts = [text("sent", sent), text("received", received)].compactMap(\.self)
    return parts.isEmpty ? "nothing yet" : parts.joined(separator: ", ")
  }
}
