public import HTTPTypes
public import StagecoachCore

extension MultipartBody {
  /// A part of a multipart body: fields and content.
  ///
  /// Content-Disposition is derived from the names and Content-Type from the media type, unless ``fields`` contains
  /// them. In a form the disposition is `form-data` with both names; otherwise it is `attachment` if there is a file
  /// name, and omitted if not.
  ///
  /// ```swift
  /// let parts: [MultipartBody.Part] = [
  ///   .text("holiday", name: "album"),
  ///   .data(bytes, name: "icon", fileName: "icon.png", mediaType: .png),
  ///   try .file("/tmp/film.mp4", name: "film"),
  ///   .init(name: "log", fileName: "log.txt", mediaType: .plainText, body: .bytes(bytes)),
  /// ]
  /// ```
  public struct Part: Sendable {
    /// The name of the form field, not escaped.
    public var name: String?

    /// The name of the file, not escaped.
    public var fileName: String?

    /// The media type of the content; `nil` to declare none, which means plain text (RFC 2046 5.1).
    public var mediaType: MediaType?

    /// Additional fields, sent in order after the derived ones.
    public var fields: HTTPFields

    /// The content. Its trailer fields are not allowed in a part and are dropped.
    public var body: Request.Body

    /// Creates a part with any content: in memory, from a file or a stream, replayable or not, of known length or not.
    public init(
      name: String? = nil,
      fileName: String? = nil,
      mediaType: MediaType? = nil,
      fields: HTTPFields = [:],
      body: Request.Body
    ) {
      self.name = name
      self.fileName = fileName
      self.mediaType = mediaType
      self.fields = fields
      self.body = body
    }

    /// Creates a part of UTF-8 text with unchanged line ends, without a Content-Type unless one is given.
    public static func text(_ text: String, name: String? = nil, mediaType: MediaType? = nil) -> Part {
      Part(name: name, mediaType: mediaType, body: .bytes(Bytes(text)))
    }

    /// Creates a part of text in another charset, which its Content-Type declares: `text/plain;charset=...`.
    ///
    /// - Throws: ``CharsetError`` if a character is not in the charset, or the system does not support the charset.
    public static func text(_ text: String, name: String? = nil, charset: Charset) throws(CharsetError)
      -> Part
    {
      let octets = try charset.encode(text)
      return Part(name: name, mediaType: .plainText.with(charset: charset), body: .bytes(Bytes(octets)))
    }

    /// Creates a part of bytes in memory.
    public static func data(
      _ bytes: Bytes,
      name: String? = nil,
      fileName: String? = nil,
      mediaType: MediaType? = .octetStream
    ) -> Part {
      Part(name: name, fileName: fileName, mediaType: mediaType, body: .bytes(bytes))
    }

    /// Creates a part of a file or a range of it. Its length is determined now, but the file is opened when its part
    /// is sent; a file that was truncated meanwhile is an error.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - name: The name of the form field.
    ///   - range: The bytes to send, as offsets from the start of the file; `nil` for the whole file.
    ///   - fileName: The file name to send; the last component of the path if `nil`.
    ///   - mediaType: The media type; derived from the file name by ``MediaType/init(fileName:)`` if `nil`.
    /// - Throws: ``ExchangeError`` of kind `file` if the file cannot be read or is shorter than the range.
    public static func file(
      _ path: String,
      name: String? = nil,
      range: Range<Int64>? = nil,
      fileName: String? = nil,
      mediaType: MediaType? = nil
    ) throws -> Part {
      let fileName = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
      return Part(
        name: name,
        fileName: fileName,
        mediaType: mediaType ?? MediaType(fileName: path),
        body: try .file(path, range: range)
      )
    }

    /// Creates a part of text for each key and value of parameters, in the order and with the keys of the encoder,
    /// such as `a[b]`, unescaped; a key without a value becomes an empty part.
    ///
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - encoder: Determines how keys and values are written.
    ///   - charset: The charset of the values, which each part then declares (RFC 7578 4.5); `nil` for UTF-8, which is
    ///     not declared. Names are always in UTF-8 (RFC 7578 5.1).
    /// - Throws: ``ParameterError``, or any error of a custom style.
    public static func fields(
      _ parameters: Parameters,
      encoder: QueryEncoder = QueryEncoder(),
      charset: Charset? = nil
    ) throws -> [Part] {
      // Uses the query encoder, so that there is only one algorithm for keys; in a query both halves are escaped.
      var encoder = encoder
      encoder.escaping = .strict
      return try encoder.encode(parameters).utf8.split(separator: UInt8(ascii: "&")).map { pair in
        let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: halves[0].percentDecoded, as: UTF8.self)
        let value = halves.count > 1 ? halves[1].percentDecoded : []
        guard let charset else { return Part(name: name, body: .bytes(Bytes(value))) }
        do throws(CharsetError) {
          return try .text(String(decoding: value, as: UTF8.self), name: name, charset: charset)
        } catch .unencodable(_, _) {
          throw ParameterError.unencodable(key: name, charset: charset.name)
        } catch {
          throw ParameterError.unusableCharset(charset.name)
        }
      }
    }

    /// The media type for Content-Type.
    var declaredType: MediaType? {
      fields.contains(.contentType) ? fields.contentType : mediaType
    }
  }
}
