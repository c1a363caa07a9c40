public import StagecoachCore

/// Reads the elements at a path of a document, as the body arrives.
///
/// The encoding is that of a byte order mark, else the charset of Content-Type, else the XML declaration
/// (RFC 7303 3). Nothing is loaded from outside the body.
public struct XMLRecordsResponseSerializer<Output: Sendable>: ResponseSerializer {
  /// What it can read.
  public var accepts: Acceptance

  /// What an element may cost, and the document outside of it.
  public var limits: XML.Limits

  private let path: XML.ElementPath
  private let make: @Sendable () -> (XML.Record) throws -> Output

  /// A serializer that makes something of each element.
  ///
  /// - Parameters:
  ///   - path: Where the elements are.
  ///   - accepts: What it can read.
  ///   - limits: What an element may cost.
  ///   - make: Makes something of an element; what it throws ends the sequence.
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

  /// A serializer that decodes each element.
  ///
  /// - Parameters:
  ///   - path: Where the elements are.
  ///   - accepts: What it can read.
  ///   - decoder: Decodes the elements; it has the limits of each.
  public init(_ path: XML.ElementPath, accepting accepts: Acceptance = .xml, decoder: XMLDecoder)
  where Output: Decodable {
    self.init(path, accepting: accepts, limits: decoder.limits, making: decoder.makeRecordReader())
  }

  /// Returns at once; the sequence reads the body.
  public func serialize(_ response: Response) async throws -> XML.Records<Output> {
    XML.Records(
      source: ElementSource(response, stage: name),
      path: path,
      encoding: response.mediaType?.charset?.name,
      limits: limits,
      make: make
    )
  }
}

extension ResponseSerializer where Self == XMLRecordsResponseSerializer<XML.Record> {
  /// The elements at a path of an XML document, as they arrive.
  public static func xmlRecords(_ path: XML.ElementPath) -> Self {
    XMLRecordsResponseSerializer(path) { $0 }
  }
}

extension ResponseSerializer {
  /// Values decoded from the elements at a path of an XML document, as they arrive.
  public static func xmlRecords<Value: Decodable & Sendable>(
    _ path: XML.ElementPath,
    as type: Value.Type,
    decoder: XMLDecoder = XMLDecoder()
  ) -> Self where Self == XMLRecordsResponseSerializer<Value> {
    XMLRecordsResponseSerializer(path, decoder: decoder)
  }
}
