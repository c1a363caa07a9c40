import HTTPTypes
import StagecoachCore

/// The content of a request as arguments of curl.
struct CURLContent {
  let arguments: [String]
  let note: String?

  init(_ request: Request, secrets: CURLCommand.Secrets, limit: Int) {
    let body = request.body
    if body.isEmpty {
      (arguments, note) = ([], nil)
    } else if let bytes = body.bytes, let text = Self.text(bytes, request.fields.contentType, secrets, limit)
    {
      // Unlike similar options it does not read a file if the text starts with an `@`.
      (arguments, note) = (["--data-raw", text], nil)
    } else if let path = body.wholeFile, Format.oneLine(path) == path {
      // A single hyphen means standard input.
      (arguments, note) = (["--data-binary", path == "-" ? "@./-" : "@\(path)"], nil)
    } else {
      (arguments, note) = Self.standardInput(request)
    }
  }

  private static func standardInput(_ request: Request) -> ([String], String?) {
    let length = request.body.length.map { "\($0) bytes" } ?? "unknown length"
    let type = request.fields.contentType.map { " of \($0.essence)" } ?? ""
    return (["--data-binary", "@-"], Format.oneLine("the content is omitted: \(length)\(type)"))
  }

  /// Returns the content as text that may be shown; `nil` if there is none.
  private static func text(
    _ bytes: Bytes,
    _ type: MediaType?,
    _ secrets: CURLCommand.Secrets,
    _ limit: Int
  ) -> String? {
    guard bytes.count <= limit, let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }),
      isHarmless(text)
    else { return nil }
    if secrets == .shown { return text }
    guard let type else { return nil }
    switch (type.type, type.subtype) {
    case ("application", "x-www-form-urlencoded"): return Redaction.form(text)
    case ("text", "plain"): return text
    case ("application", "json"),
      (_, _) where type.suffix == "json":
      return (try? JSONValue(parsing: text)).map { json in
        let redacted = Redaction.json(json)
        return redacted == json ? text : String(decoding: redacted.serialized(), as: UTF8.self)
      }
    default: return nil
    }
  }

  /// Whether nothing in it steers a terminal.
  private static func isHarmless(_ text: String) -> Bool {
    let lines = text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" }
    var plain = ""
    plain.unicodeScalars.append(contentsOf: lines)
    return Format.oneLine(plain) == plain
  }
}
