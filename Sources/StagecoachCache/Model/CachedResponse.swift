public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The head of a stored response, with what is needed to decide on its use (RFC 9111 3).
public struct CachedResponse: Sendable, Hashable {
  /// A request field that the response depends on (RFC 9111 4.1).
  public struct Nominated: Sendable, Hashable {
    /// The name in lower case.
    public let name: String
    /// The normalized value, or a salted hash of it for a sensitive field; `nil` if the request had none.
    public let value: String?

    /// Creates a nominated field.
    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }

    /// Compares octets, because Swift's strings are equal if their characters look the same.
    public static func == (a: Self, b: Self) -> Bool {
      guard let value = a.value, let other = b.value else { return a.name == b.name && a.value == b.value }
      return a.name == b.name && value.utf8.elementsEqual(other.utf8)
    }
  }

  /// Status and fields, without those that belong to a connection.
  public var head: HTTPResponse
  /// The fields that `Vary` nominates, sorted by name, with the values of the request; empty without `Vary`.
  public var vary: [Nominated]
  /// The time at which the request was sent.
  public var requestTime: Date
  /// The time at which the head arrived.
  public var responseTime: Date
  /// The part of the representation that is stored; `nil` if all of it is.
  public var part: Part?
  /// The time from which a full store removes the response before others: it is stale then, has no validator, and does
  /// not allow stale use. `nil` if there is no such time.
  public var endOfUse: Date?

  /// A part of a representation (RFC 9111 3.3).
  public struct Part: Sendable, Hashable {
    /// The position of the first stored byte.
    public var start: Int64
    /// The number of bytes of the whole representation.
    public var total: Int64

    /// Creates a part.
    public init(start: Int64, total: Int64) {
      self.start = start
      self.total = total
    }
  }

  /// Creates a head.
  public init(
    head: HTTPResponse,
    vary: [Nominated] = [],
    requestTime: Date,
    responseTime: Date,
    part: Part? = nil,
    endOfUse: Date? = nil
  ) {
    self.head = head
    self.vary = vary
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.part = part
    self.endOfUse = endOfUse
  }
}
