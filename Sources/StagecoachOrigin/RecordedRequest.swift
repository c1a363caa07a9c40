#if Tool
  /// A request as an origin received it.
  public struct RecordedRequest: Sendable, Hashable {
    /// A header or trailer field, name and value as they came.
    public struct Field: Sendable, Hashable {
      /// The name in the letter case that was sent.
      public var name: String
      /// The value without surrounding white space.
      public var value: String

      /// A field.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    /// The method, such as `GET`.
    public var method: String
    /// The request target of the request line, byte for byte (RFC 9112 3.2).
    public var target: String
    /// The path of the target, still percent-encoded.
    public var path: String
    /// The query of the target without the question mark, still percent-encoded; nil without one.
    public var query: String?
    /// The HTTP version, `1.1` or `1.0`.
    public var version: String
    /// The header fields in the order in which they came, duplicates included.
    public var fields: [Field]
    /// The body without transfer coding, up to ``Origin/Configuration/recordedBodyLimit`` bytes.
    public var body: [UInt8]
    /// The length of the whole body in bytes.
    public var bodyLength: Int
    /// The trailer fields of a chunked body.
    public var trailers: [Field]
    /// The number of the connection, counted from 1 in the order of acceptance.
    public var connection: Int
    /// Whether the request came to its end; false when the connection broke off before.
    public var isComplete: Bool

    /// The body as text, malformed UTF-8 repaired.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The values of all fields of a name, in order; letter case of the name is ignored.
    public func values(of name: String) -> [String] {
      let name = name.lowercased()
      return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The value of the first field of a name; letter case of the name is ignored.
    public subscript(name: String) -> String? { values(of: name).first }
  }
#endif
