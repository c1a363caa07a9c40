#if Tool
  /// A request as an origin received it.
  public struct RecordedRequest: Sendable, Hashable {
    /// A header or trailer field, as it was sent.
    public struct Field: Sendable, Hashable {
      /// The name, with its case.
      public var name: String
      /// The value without surrounding white space.
      public var value: String

      /// Creates a field.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    /// The method, such as `GET`.
    public var method: String
    /// The request target of the request line, byte for byte (RFC 9112 3.2).
    public var target: String
    /// The path of the target, percent-encoded.
    public var path: String
    /// The query of the target without the question mark, percent-encoded; `nil` if absent.
    public var query: String?
    /// The HTTP version, `1.1` or `1.0`.
    public var version: String
    /// The header fields in order, including duplicates.
    public var fields: [Field]
    /// The body without transfer coding, up to ``Origin/Configuration/recordedBodyLimit`` bytes.
    public var body: [UInt8]
    /// The length of the whole body in bytes.
    public var bodyLength: Int
    /// The trailer fields of a chunked body.
    public var trailers: [Field]
    /// The number of the connection, from 1 in the order of acceptance.
    public var connection: Int
    /// Whether the request is complete; `false` if the connection ended before.
    public var isComplete: Bool

    /// The body as text, with malformed UTF-8 replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// Returns the values of all fields with a name, in order, ignoring case.
    public func values(of name: String) -> [String] {
      let name = name.lowercased()
      return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The value of the first field with a name, ignoring case.
    public subscript(name: String) -> String? { values(of: name).first }
  }
#endif
