import HTTPTypes
public import StagecoachCore

/// A request as a command line for curl, to repeat a request by hand.
///
/// ```swift
/// let response = try await client.send(.get("http://example.com/?token=t"))
/// if let request = response.request { print(CURLCommand(request)) }
/// // curl 'http://example.com/?token=[redacted]'
/// ```
///
/// Every word is quoted for a POSIX shell. Secrets are replaced: credentials, cookies, user information, and the
/// values of parameters, form entries and JSON members with secret names. Use `secrets: .shown` for a command that can
/// be run as it is, and keep it out of logs.
///
/// curl adds `User-Agent` and `Accept` if the request does not have them.
public struct CURLCommand: Sendable, Hashable, CustomStringConvertible {
  /// Whether secrets are replaced or shown.
  @nonexhaustive
  public enum Secrets: Sendable, Hashable {
    /// Secrets are replaced.
    case redacted
    /// Secrets are shown.
    case shown
  }

  /// The words of the command, unquoted; the first one is `curl`.
  public let arguments: [String]

  /// A note about omitted parts, on one line; `nil` if the command is complete.
  public let note: String?

  /// Creates a command for a request.
  ///
  /// Content is included if it is text in memory, not larger than the limit, and of a type in which secrets can be
  /// found (JSON, forms) or that has no names for them (`text/plain`); with secrets shown, any text is included. Other
  /// content is read from standard input (`--data-binary @-`), or from its file if it is a whole file.
  ///
  /// - Parameters:
  ///   - request: The request, from a stage or ``Response/request``.
  ///   - secrets: Whether to replace or show secrets.
  ///   - bodyLimit: The maximum size of included content, in bytes; 4096 by default.
  public init(_ request: Request, secrets: Secrets = .redacted, bodyLimit: Int = 4096) {
    let head = secrets == .shown ? request.head : Redaction.head(of: request)
    let content = CURLContent(request, secrets: secrets, limit: bodyLimit)
    var words = ["curl"]
    words += Self.method(head.method, hasContent: !content.arguments.isEmpty)
    var wasChanged = false
    words += Self.fields(head, hasContent: !content.arguments.isEmpty).flatMap { field in
      let harmless = Format.oneLine(field)
      if harmless != field { wasChanged = true }
      return ["-H", harmless]
    }
    if head.headerFields.contains(.acceptEncoding) { words.append("--compressed") }
    words += content.arguments
    words += Self.target(head, request, secrets)
    arguments = words
    let notes = [content.note, wasChanged ? "control characters in fields were replaced by spaces" : nil]
    note = notes.compactMap(\.self).isEmpty ? nil : notes.compactMap(\.self).joined(separator: "; ")
  }

  /// The command, quoted for a POSIX shell. It is a single line, unless the content has several.
  public var line: String { arguments.map(Self.quoted).joined(separator: " ") }

  /// The command, followed by the note as a comment.
  public var description: String { note.map { "\(line)  # \($0)" } ?? line }

  /// A word as a POSIX shell reads it back, octet for octet (XCU 2.2.2). It must not hold NUL, which no argument of
  /// a program can.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { octet in
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"),
        UInt8(ascii: "@"), UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "%"):
        true
      default: false
      }
    }
    if isPlain, !word.isEmpty { return word }
    var result: [UInt8] = [UInt8(ascii: "'")]
    for octet in word.utf8 {
      // Within the quotes nothing is special but the quote that ends them.
      if octet == UInt8(ascii: "'") { result += #"'\''"#.utf8 } else { result.append(octet) }
    }
    result.append(UInt8(ascii: "'"))
    return String(decoding: result, as: UTF8.self)
  }

  private static func method(_ method: HTTPRequest.Method, hasContent: Bool) -> [String] {
    switch method {
    case .get where !hasContent, .post where hasContent: []
    case .head where !hasContent: ["--head"]
    default: ["-X", Format.oneLine(method.rawValue)]
    }
  }

  private static func fields(_ head: HTTPRequest, hasContent: Bool) -> [String] {
    var fields: [String] = []
    for field in head.headerFields where field.name != .contentLength {
      // An empty value is written with a semicolon, because a colon alone removes the field.
      fields.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    // curl would call it a form.
    if hasContent, !head.headerFields.contains(.contentType) { fields.append("Content-Type:") }
    return fields
  }

  private static func target(_ head: HTTPRequest, _ request: Request, _ secrets: Secrets) -> [String] {
    guard let authority = head.authority else {
      let reference = request.reference ?? head.path ?? ""
      let text = Format.oneLine(secrets == .shown ? reference : Redaction.url(reference))
      // curl would take it for an option.
      return text.hasPrefix("-") ? ["--url", text] : [text]
    }
    let path = head.path ?? "/"
    let origin = "\(head.scheme ?? "http")://\(authority)"
    if !path.hasPrefix("/") {
      return ["--request-target", Format.oneLine(path), Format.oneLine(origin + "/")]
    }
    var words: [String] = []
    // curl would expand them, as it would remove dot segments.
    if path.utf8.contains(where: { "[]{}".utf8.contains($0) }) || authority.contains("[") {
      words.append("--globoff")
    }
    if path.split(whereSeparator: { $0 == "/" || $0 == "?" }).contains(where: { $0 == "." || $0 == ".." }) {
      words.append("--path-as-is")
    }
    return words + [Format.oneLine(origin + path)]
  }
}
