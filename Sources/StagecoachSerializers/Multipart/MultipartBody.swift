import HTTPTypes
public import StagecoachCore

/// The content of a multipart media type: parts, each with fields and content (RFC 2046 5.1).
///
/// Nothing is read before it is sent, and at most one chunk of one part is in memory. If the length of every part is
/// known, the body is sent with Content-Length, otherwise chunked. It is replayable if every part is.
///
/// ```swift
/// let form = MultipartBody.form([
///   .text("holiday", name: "album"),
///   try .file("/tmp/beach.jpeg", name: "photo"),
/// ])
/// let saved = try await client.post("photos", .multipart(form), as: .jsonValue)
/// ```
public struct MultipartBody: Sendable {
  /// The media type with its parameters except for the boundary, such as `multipart/form-data`.
  public var mediaType: MediaType

  /// The parts, in order.
  public var parts: [Part]

  /// The boundary between the parts, 1 to 70 characters; random if `nil` (RFC 2046 5.1.1).
  public var boundary: String?

  /// Whether file names outside ASCII in a form are also written as `filename*` (RFC 8187); `false` by default, as in
  /// browsers and in RFC 7578 4.2.
  public var extendsFileNames = false

  /// Creates a body of parts with a multipart media type.
  public init(_ mediaType: MediaType, parts: [Part], boundary: String? = nil) {
    self.mediaType = mediaType
    self.parts = parts
    self.boundary = boundary
  }

  /// Creates a form, `multipart/form-data`. Every part needs a name (RFC 7578).
  public static func form(_ parts: [Part], boundary: String? = nil) -> MultipartBody {
    MultipartBody(.multipartForm, parts: parts, boundary: boundary)
  }

  /// Creates a body of independent parts in order, `multipart/mixed` (RFC 2046 5.1.3).
  public static func mixed(_ parts: [Part], boundary: String? = nil) -> MultipartBody {
    MultipartBody(.multipartMixed, parts: parts, boundary: boundary)
  }

  /// Creates a compound object, `multipart/related`. The parameter `type` is taken from the root part (RFC 2387).
  ///
  /// - Parameters:
  ///   - parts: The parts, which refer to each other by their Content-ID fields.
  ///   - start: The Content-ID of the root part, with its angle brackets; `nil` if the first part is the root.
  ///   - boundary: The boundary; random if `nil`.
  public static func related(_ parts: [Part], start: String? = nil, boundary: String? = nil) -> MultipartBody
  {
    let parameter = start.flatMap { MediaType.Parameter(name: "start", value: $0) }
    let type = parameter.map(MediaType.multipartRelated.with) ?? .multipartRelated
    return MultipartBody(type, parts: parts, boundary: boundary)
  }

  /// The media type as it is declared, but for the boundary.
  var declaredType: MediaType {
    var parameters = mediaType.parameters.filter { $0.name != "boundary" }
    if mediaType.subtype == "related", mediaType[parameter: "type"] == nil {
      let type = rootType.description
      parameters.insert(MediaType.Parameter(checkedName: "type", value: type), at: 0)
    }
    return MediaType(checkedType: mediaType.type, subtype: mediaType.subtype, parameters: parameters)
  }

  /// The media type of the root part (RFC 2387 3.1).
  private var rootType: MediaType {
    let start = mediaType[parameter: "start"]
    let root = parts.first { part in
      part.fields.contains { $0.name.canonicalName == "content-id" && $0.value == start }
    }
    return (root ?? parts.first)?.declaredType?.essence ?? .plainText
  }
}

extension MediaType {
  /// `multipart/mixed`; sent with a `boundary` (RFC 2046 5.1.3).
  public static let multipartMixed = MediaType(checkedType: "multipart", subtype: "mixed")
  /// `multipart/related`; sent with a `boundary` (RFC 2387).
  public static let multipartRelated = MediaType(checkedType: "multipart", subtype: "related")
}
