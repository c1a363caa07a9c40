import HTTPTypes
import StagecoachFormats

extension Scenario {
  /// Reads exchanges that were written by hand: a request, a line `###`, its response; more after further lines `###`.
  ///
  /// ```text
  /// GET https://api.example.com/users/42
  /// Accept: application/json
  ///
  /// ###
  /// HTTP/1.1 200 OK
  /// Content-Type: application/json
  ///
  /// {"id": 42}
  /// ```
  ///
  /// A target may be a path if the request has a field Host. Line breaks at the end of a content do not count. Lines
  /// before a message that begin with `#` or `//` are comments.
  ///
  /// - Throws: ``ScenarioError``, with the line.
  package init(http text: [UInt8], file: String) throws {
    self.init()
    let text = OlderPlaceholders.converted(text) ?? text
    var request: (Request, offset: Int)?
    do {
      for part in Self.parts(of: text) {
        let message = try MessageText(part)
        let content = Self.content(part[message.contentStart...], type: message.fields[.contentType])
        if message.firstLine.hasPrefix("HTTP/") {
          guard let (asked, _) = request else {
            throw MessageText.Failure(
              offset: part.startIndex,
              message: "a response without a request before it"
            )
          }
          let reply = try Self.reply(message, content, at: part.startIndex)
          exchanges.append(Exchange(id: Self.identifier(at: exchanges.count), request: asked, reply: reply))
          request = nil
        } else {
          if let request { throw Self.withoutResponse(request.offset) }
          request = (try self.request(message, content, at: part.startIndex), part.startIndex)
        }
      }
      if let request { throw Self.withoutResponse(request.offset) }
      guard !exchanges.isEmpty else { throw MessageText.Failure(offset: 0, message: "no exchange") }
    } catch let failure as MessageText.Failure {
      let line = MessageText.line(of: failure.offset, in: text)
      throw ScenarioError(.invalid, file: file, line: line, failure.message)
    }
  }

  private static func withoutResponse(_ offset: Int) -> MessageText.Failure {
    MessageText.Failure(offset: offset, message: "the request has no response: it follows after a line ###")
  }

  /// The messages, from their first lines on.
  private static func parts(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var rest = text[...]
    var start: Int?
    while !rest.isEmpty {
      let offset = rest.startIndex
      let line = MessageText.line(&rest)
      if line.starts(with: "###".utf8) {
        if let start { parts.append(text[start..<offset]) }
        start = nil
      } else if start == nil, !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }),
        line.first != UInt8(ascii: "#"), !line.starts(with: "//".utf8)
      {
        start = offset
      }
    }
    if let start { parts.append(text[start...]) }
    return parts
  }

  private mutating func request(_ message: MessageText, _ content: Body?, at offset: Int) throws -> Request {
    var words = message.firstLine.split(separator: " ")
    var version: String?
    if words.count > 1, let last = words.last, last.hasPrefix("HTTP/") {
      version = String(last.dropFirst(5))
      words.removeLast()
    }
    if words.count == 1 { words.insert("GET", at: 0) }
    guard words.count == 2, HTTPRequest.Method(String(words[0])) != nil else {
      throw MessageText.Failure(offset: offset, message: "expected a line METHOD URL, or HTTP/1.1 STATUS")
    }
    var url = String(words[1].prefix { $0 != "#" })
    if url.hasPrefix("/"), let host = message.fields.first(where: { $0.name.canonicalName == "host" })?.value
    {
      url = "http://\(host)\(url)"
    }
    guard url.contains("://") else {
      throw MessageText.Failure(offset: offset, message: "expected a URL, or a path and a field Host")
    }
    var request = Request(String(words[0]), shorten(url), fields: message.fields, body: content)
    request.version = version
    return request
  }

  private static func reply(_ message: MessageText, _ content: Body?, at offset: Int) throws -> Reply {
    guard let (response, version) = message.response, response.status.code >= 200 else {
      throw MessageText.Failure(
        offset: offset,
        message: "expected a line HTTP/1.1 STATUS REASON, from 200 on"
      )
    }
    return Reply(Head(response, version: version), body: content)
  }

  /// The content without line breaks at its end; `nil` if nothing is left.
  private static func content(_ octets: ArraySlice<UInt8>, type: String?) -> Body? {
    var rest = octets
    while let last = rest.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
      rest = rest.dropLast()
    }
    return rest.isEmpty ? nil : Body(Bytes(rest), type: type)
  }
}
