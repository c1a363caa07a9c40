public import StagecoachCore
public import StagecoachSerializers

/// A serializer that reads the elements at a path of a document, while the body arrives.
///
/// The encoding is that of a byte order mark, otherwise that of Content-Type, otherwise that of the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside of the body.
public struct XMLRecordsResponseSerializer<Output: Sendable>: ResponseSerializer {
  /// The accepted content.
  public var accepts: Acceptance

  /// The limits of an element, and of the document outside of it.
  public var limits: XML.Limits

  private let path: XML.ElementPath
  private let make: @Sendable () -> (XML.Record) throws -> Output

  /// Creates a serializer that converts each element with a closure.
  ///
  /// - Parameters:
  ///   - path: The path of the elements.
  ///   - accepts: The accepted content.
  ///   - limits: The limits of an element.
  ///   - make: Returns the value for an element; its errors end the sequence.
  public init(
    _ path: XML.ElementPath,
    accepting accepts: Acceptance = .xml,
    limits: XML.Limits = XML.Limits(),
    make: @escaping @Sendable (XML.Record) throws -> Output
  ) {
    self.init(path, accepting: accepts, limits: limits) { { try make($0) } }
  }

  /// A serializer with something to remember from one element to the next.
  private init(
    _ path: XML.ElementPath,
    accepting accepts: Acceptance,
    limits: XML.Limits,
    making make: @escaping @Sendable () -> (XML.Record) throws -> Output
  ) {
    self.path = path
    self.accepts = accepts
    self.limits = limits
    self.make = make
  }

  /// Creates a serializer that decodes each element.
  ///
  /// - Parameters:
  ///   - path: The path of the elements.
  ///   - accepts: The accepted content.
  ///   - decoder: The decoder, whose limits apply to each element.
  public init(_ path: XML.ElementPath, accepting accepts: Acceptance = .xml, decoder: XMLDecoder)
  where Output: Decodable {
    self.init(path, accepting: accepts, limits: decoder.limits, making: decoder.makeRecordReader())
  }

  /// Returns immediately; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> XML.Records<Output> {
    XML.Records(
      ElementSource(response, stage: name),
      path: path,
      encoding: response.mediaType?.charset?.name,
      limits: limits,
      make: make
    )
  }
}

extension ResponseSerializer where Self == XMLRecordsResponseSerializer<XML.Record> {
  /// A serializer for the elements at a path of an XML document, as they arrive.
  public static func xmlRecords(_ path: XML.ElementPath) -> Self {
    XMLRecordsResponseSerializer(path) { $0 }
  }
}

extension ResponseSerializer {
  /// A serializer for values decoded from the elements at a path of an XML document, as they arrive.
  public static func xmlRecords<Value: Decodable & Sendable>(
    _ path: XML.ElementPath,
    as type: Value.Type,
    decoder: XMLDecoder = XMLDecoder()
  ) -> Self where Self == XMLRecordsResponseSerializer<Value> {
    XMLRecordsResponseSerializer(path, decoder: decoder)
  }
}
