import HTTPTypes
import StagecoachCore

/// A multipart body laid out for one boundary: the octets between the contents, and the contents that are read
/// when their turn comes.
struct MultipartAssembly {
  /// A piece of the body.
  enum Segment {
    case bytes(Bytes)
    /// Content of a part, counted from 1.
    case body(Request.Body, part: Int)
  }

  /// Content in memory up to this size is joined with what surrounds it.
  private static let largestJoined = 16 * 1024
  /// Joined octets are not gathered beyond this size.
  private static let largestChunk = 64 * 1024

  private(set) var segments: [Segment] = []
  /// The count of octets; nil if it is not known of every part.
  private(set) var length: Int64? = 0
  private(set) var isReplayable = true
  private var gathered: [UInt8] = []

  /// Lays a body out.
  ///
  /// - Throws: ``MultipartError`` for a part without a usable name, or with the boundary in its content.
  init(_ body: MultipartBody, boundary: String) throws(MultipartError) {
    let marker = Array("--\(boundary)".utf8)
    var separator = Array("--\(boundary)\r\n".utf8)
    for (index, part) in body.parts.enumerated() {
      let head = try Self.head(of: part, number: index + 1, in: body)
      guard !Self.contains(marker, head), part.body.bytes.map({ Self.contains(marker, $0) }) != true else {
        throw .boundaryInContent(part: index + 1)
      }
      gather(separator)
      gather(head)
      append(part.body, ofPart: index + 1)
      separator = Array("\r\n--\(boundary)\r\n".utf8)
    }
    gather(Array((body.parts.isEmpty ? "--\(boundary)--\r\n" : "\r\n--\(boundary)--\r\n").utf8))
    flush()
  }

  /// The body to send.
  var requestBody: Request.Body {
    if segments.count == 1, case .bytes(let bytes) = segments[0] { return .bytes(bytes) }
    return .source(length: length, isReplayable: isReplayable) { [segments] in
      try MultipartSource(segments)
    }
  }

  private mutating func append(_ body: Request.Body, ofPart number: Int) {
    if let bytes = body.bytes, bytes.count <= Self.largestJoined {
      gather(bytes.array)
      return
    }
    flush()
    segments.append(body.bytes.map(Segment.bytes) ?? .body(body, part: number))
    isReplayable = isReplayable && body.isReplayable
    count(body.length)
  }

  private mutating func gather(_ octets: [UInt8]) {
    if gathered.count + octets.count > Self.largestChunk { flush() }
    gathered += octets
    count(Int64(octets.count))
  }

  private mutating func flush() {
    guard !gathered.isEmpty else { return }
    segments.append(.bytes(Bytes(gathered)))
    gathered = []
  }

  /// A sum beyond 64 bits, which only declared lengths can reach, is as good as unknown.
  private mutating func count(_ more: Int64?) {
    guard let length, let more else {
      self.length = nil
      return
    }
    let (sum, isTooLarge) = length.addingReportingOverflow(more)
    self.length = isTooLarge ? nil : sum
  }

  private static func contains(_ marker: [UInt8], _ octets: [UInt8]) -> Bool {
    octets.withUnsafeBytes { OctetSearch.firstOffset(of: marker, in: $0) } != nil
  }

  private static func contains(_ marker: [UInt8], _ bytes: Bytes) -> Bool {
    bytes.withUnsafeBytes { OctetSearch.firstOffset(of: marker, in: $0) } != nil
  }

  /// The field lines of a part and the empty line behind them.
  private static func head(of part: MultipartBody.Part, number: Int, in body: MultipartBody)
    throws(MultipartError) -> [UInt8]
  {
    var octets: [UInt8] = []
    if !part.fields.contains(.contentDisposition),
      let value = try disposition(of: part, number: number, in: body)
    {
      octets += "Content-Disposition: \(value)\r\n".utf8
    }
    if !part.fields.contains(.contentType), let type = part.mediaType {
      octets += "Content-Type: \(type)\r\n".utf8
    }
    for field in part.fields {
      // A field value of swift-http-types never holds CR, LF or NUL: it replaces them.
      octets += "\(field.name.rawName): ".utf8
      field.withUnsafeBytesOfValue { octets.append(contentsOf: $0) }
      octets += "\r\n".utf8
    }
    return octets + "\r\n".utf8
  }

  private static func disposition(of part: MultipartBody.Part, number: Int, in body: MultipartBody)
    throws(MultipartError) -> ContentDisposition?
  {
    guard body.mediaType.essence == .multipartForm else {
      return part.fileName.map { ContentDisposition.attachment(fileName: $0) }
    }
    guard let name = part.name else { throw .missingName(part: number) }
    let value = ContentDisposition.formData(
      name: name,
      fileName: part.fileName,
      extendsFileName: body.extendsFileNames
    )
    guard let value else { throw .invalidName(part: number) }
    return value
  }
}
