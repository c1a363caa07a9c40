public import HTTPTypes

extension MultipartBody {
  /// A part: fields and content.
  ///
  /// Content-Disposition is made of the names and Content-Type of the media type, unless ``fields`` has them.
  /// In a form the disposition is `form-data` with both names; elsewhere it is `attachment` where there is a
  /// file name, and left out else.
  ///
  /// ```swift
  /// .text("holiday", name: "album")
  /// .data(png, name: "icon", fileName: "icon.png", mediaType: .png)
  /// try .file("/tmp/film.mp4", name: "film")
  /// Part(name: "log", fileName: "log.txt", body: .stream(length: nil) { lines() })
  /// ```
  public struct Part: Sendable {
    /// The name of the form's field, not escaped.
    public var name: String?

    /// The name of the file, not escaped.
    public var fileName: String?

    /// The media type of the content; nil declares none, which means plain text (RFC 2046 5.1).
    public var mediaType: MediaType?

    /// More fields, sent in order behind those that are made.
    public var fields: HTTPFields

    /// The content. Trailer fields of it have no place in a part and are dropped.
    public var body: Request.Body

    /// A part with content of any kind: in memory, of a file, a stream that can be restarted or not, of a
    /// known length or not.
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

    /// Text in UTF-8, its line ends as they are, without a Content-Type unless one is given.
    public static func text(_ text: String, name: String? = nil, mediaType: MediaType? = nil) -> Part {
      Part(name: name, mediaType: mediaType, body: .bytes(Bytes(text)))
    }

    /// Text in another charset, which its Content-Type declares: `text/plain;charset=...`.
    ///
    /// - Throws: ``CharsetError`` if a character has no place in the charset, or the system does not know it.
    public static func text(_ text: String, name: String? = nil, charset: Charset) throws(CharsetError)
      -> Part
    {
      let octets = try charset.encode(text)
      return Part(name: name, mediaType: .plainText.with(charset: charset), body: .bytes(Bytes(octets)))
    }

    /// Bytes in memory.
    public static func data(
      _ bytes: Bytes,
      name: String? = nil,
      fileName: String? = nil,
      mediaType: MediaType? = .octetStream
    ) -> Part {
      Part(name: name, fileName: fileName, mediaType: mediaType, body: .bytes(bytes))
    }

    /// A file or a range of it. Its length is taken now, it is opened when its turn has come, and a file that
    /// was shortened meanwhile fails instead of being padded.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - name: The name of the form's field.
    ///   - range: The bytes to send, from the start of the file; all of it if nil.
    ///   - fileName: The name to send; the last component of the path if nil.
    ///   - mediaType: The media type; that of ``MediaType/init(fileName:)`` if nil.
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

    /// A part of text for each pair that the encoder makes of parameters, in its order and under its keys,
    /// such as `a[b]`, unescaped; a key without a value becomes an empty part.
    ///
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - encoder: How keys and values are written.
    ///   - charset: The charset of the values, which each part then declares (RFC 7578 4.5); nil for UTF-8, which
    ///     none declares. Names are in UTF-8 always (RFC 7578 5.1).
    /// - Throws: ``ParameterEncodingError``, or what a custom style throws.
    public static func fields(
      _ parameters: Parameters,
      encoder: QueryEncoder = QueryEncoder(),
      charset: Charset? = nil
    ) throws -> [Part] {
      // By way of the query, so that there is one algorithm for the keys; in it both halves are escaped.
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
          throw ParameterEncodingError.unencodable(key: name, charset: charset.name)
        } catch {
          throw ParameterEncodingError.unusableCharset(charset.name)
        }
      }
    }

    /// What Content-Type will say.
    var declaredType: MediaType? {
      fields.contains(.contentType) ? fields.contentType : mediaType
    }
  }
}
