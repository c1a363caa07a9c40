import HTTPTypes

/// What is sent as one of the multipart media types (RFC 2046 5.1): parts, each with fields and content.
///
/// Nothing is read before it is sent, and never more than one chunk of one part is in memory. If the length
/// of every part is known, so is that of the whole, and it is sent with Content-Length; else it is sent
/// chunked. It can be sent again if every part can.
///
/// ```swift
/// let form = MultipartBody.form([
///   .text("holiday", name: "album"),
///   try .file("/tmp/beach.jpeg", name: "photo"),
/// ])
/// let saved: Photo = try await client.post("photos", .multipart(form))
/// ```
public struct MultipartBody: Sendable {
  /// The media type with its parameters but for the boundary, such as `multipart/form-data`.
  public var mediaType: MediaType

  /// The parts, in order.
  public var parts: [Part]

  /// The boundary between the parts, 1 to 70 characters of RFC 2046 5.1.1; drawn at random if nil.
  public var boundary: String?

  /// Whether file names beyond ASCII in a form are also written as `filename*` (RFC 8187); false by default,
  /// as in browsers and as RFC 7578 4.2 wants it.
  public var extendsFileNames = false

  /// Parts under a multipart media type.
  public init(_ mediaType: MediaType, parts: [Part], boundary: String? = nil) {
    self.mediaType = mediaType
    self.parts = parts
    self.boundary = boundary
  }

  /// A form, `multipart/form-data` (RFC 7578). Every part needs a name.
  public static func form(_ parts: [Part], boundary: String? = nil) -> MultipartBody {
    MultipartBody(.multipartForm, parts: parts, boundary: boundary)
  }

  /// Independent parts in order, `multipart/mixed` (RFC 2046 5.1.3).
  public static func mixed(_ parts: [Part], boundary: String? = nil) -> MultipartBody {
    MultipartBody(.multipartMixed, parts: parts, boundary: boundary)
  }

  /// A compound object, `multipart/related` (RFC 2387). The parameter `type` is made from the root part.
  ///
  /// - Parameters:
  ///   - parts: The parts; others refer to one by its field Content-ID.
  ///   - start: The Content-ID of the root part, with its angle brackets; the first part is the root if nil.
  ///   - boundary: The boundary; drawn at random if nil.
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
  /// `multipart/mixed` (RFC 2046 5.1.3); it is sent with a `boundary`.
  public static let multipartMixed = MediaType(checkedType: "multipart", subtype: "mixed")
  /// `multipart/related` (RFC 2387); it is sent with a `boundary`.
  public static let multipartRelated = MediaType(checkedType: "multipart", subtype: "related")
}
