import HTTPTypes
import StagecoachCore

/// Reads the entries of a HAR file.
struct HARMessages {
  let file: ForeignFile
  /// Whether this library wrote the file: its fields are as they were.
  let isOwn: Bool
  var notes = ExchangeTally()
  /// The bytes of other files that may still be read.
  private var left = ScenarioFolder.limit

  init(file: ForeignFile, isOwn: Bool) {
    self.file = file
    self.isOwn = isOwn
  }

  /// - Throws: `ManifestNode.Failure`, or ``ScenarioError`` if a file with a body cannot be read.
  mutating func exchange(_ entry: ManifestNode) throws -> Scenario.Exchange {
    let request = try request(entry.required("request"))
    var reply = try reply(entry, isHead: request.method == "HEAD")
    let times = HARTimes(entry)
    reply.head?.time = times.head
    reply.end = times.end
    var exchange = Scenario.Exchange(id: "", request: request, reply: reply)
    exchange.redacted =
      try entry.member(HARWriter.redacted)?.elements().map(Scenario.RedactedLeaf.init) ?? []
    if entry.value["_webSocketMessages"] != nil || request.target.lowercased().hasPrefix("ws") {
      notes.add("was a WebSocket, whose frames were not taken")
      exchange.isOptional = true
    }
    return exchange
  }

  // MARK: Requests

  private mutating func request(_ node: ManifestNode) throws -> Scenario.Request {
    let method = try node.required("method").string()
    guard HTTPRequest.Method(method) != nil else {
      throw try node.required("method").failure("\"\(method)\" is not a method")
    }
    // A fragment is not sent.
    let url = try node.required("url").string().prefix { $0 != "#" }
    var request = Scenario.Request(method, String(url), fields: try fields(node.member("headers")))
    request.version = version(node)
    request.body = try content(of: node, request.fields)
    return request
  }

  private mutating func content(of request: ManifestNode, _ fields: HTTPFields) throws -> Scenario.Body? {
    let size = request.value["bodySize"]?.intValue ?? 0
    let data = request.member("postData")
    let type = fields[.contentType] ?? data.flatMap(Self.type)
    var body: Scenario.Body?
    var isLost = size > 0
    if let data {
      if let attached = data.member("_file") {
        body = Scenario.Body(try file.contents(of: attached, in: file.folder, &left), type: type)
      } else if let text = data.member("text"), try text.string() != "" || !Self.hasParameters(data) {
        body = try octets(data, type: nil).map { Scenario.Body($0.bytes, type: type) }
        isLost = true
      } else if let parameters = data.member("params"), try !parameters.elements().isEmpty {
        body = try form(parameters, type).map { Scenario.Body($0, type: type) }
        isLost = true
      }
    }
    if body == nil, isLost {
      notes.add("had no request body in the file: any is accepted")
      body = Scenario.Body(Bytes(), type: type)
      body?.omission = .init(bytes: max(size, 0), reason: "the HAR file does not hold it")
    }
    // An empty text beside a request without a body is how some tools say that there is none.
    guard let body, !body.bytes.isEmpty || body.omission != nil || fields[.contentLength] != nil else {
      return nil
    }
    return body.pretty()
  }

  /// Whether content stands as parameters: some tools write an empty text beside them.
  private static func hasParameters(_ data: ManifestNode) -> Bool {
    data.value["params"]?.arrayValue?.isEmpty == false
  }

  /// The content of a form; `nil` if it is one with parts, whose boundaries are lost.
  private func form(_ parameters: ManifestNode, _ type: String?) throws -> Bytes? {
    let pairs = try parameters.elements().map { node -> String in
      let (name, value) = (node.value["name"]?.stringValue ?? "", node.value["value"]?.stringValue ?? "")
      // Tools differ in whether they decode: what looks encoded stays.
      return [name, value].map {
        $0.percentEncoded(.target).replacing("&", with: "%26").replacing("=", with: "%3D").replacing(
          "+",
          with: "%2B"
        )
      }.joined(separator: "=")
    }
    if let type, MediaType(type)?.type == "multipart" { return nil }
    return Bytes(pairs.joined(separator: "&"))
  }

  // MARK: Replies

  private mutating func reply(_ entry: ManifestNode, isHead: Bool) throws -> Scenario.Reply {
    let node = entry.member("response")
    let status = node?.value["status"]?.doubleValue.flatMap { Int(exactly: $0.rounded()) } ?? 0
    guard let node, (100...999).contains(status) else {
      return Scenario.Reply(HARFailure.outcome(of: HARFailure.text(in: entry)))
    }
    let error = HARFailure.text(in: entry, afterHead: true)
    let reason = node.value["statusText"]?.stringValue ?? ""
    let response = HTTPResponse(
      status: .init(code: status, reasonPhrase: HTTPField.isValidValue(reason) ? reason : ""),
      headerFields: try fields(node.member("headers"))
    )
    let head = Scenario.Head(response, version: version(node))
    guard status >= 200 else {
      var reply = Scenario.Reply(Scenario.Outcome(.protocol, detail: "the connection changed its protocol"))
      reply.informational = [head]
      return reply
    }
    var reply = Scenario.Reply(head)
    if error != nil { reply.outcome = HARFailure.outcome(of: error) }
    let hasNone = isHead || status == 204 || status == 304
    reply.body = try body(node, &reply, hasNone: hasNone)?.pretty()
    return reply
  }

  private mutating func body(
    _ response: ManifestNode,
    _ reply: inout Scenario.Reply,
    hasNone: Bool
  ) throws -> Scenario.Body? {
    let fields = reply.head?.response.headerFields ?? [:]
    let content = response.member("content")
    if hasNone {
      // Browsers store the content of the cache beside a 304 (RFC 9110 15.4.5).
      if content?.value["_file"] != nil || content?.value["text"]?.stringValue?.isEmpty == false {
        notes.add("had content that its method or status excludes; it was left out")
      }
      return nil
    }
    let mime = content.flatMap(Self.type)
    let type = fields[.contentType] ?? mime
    let charset = (mime.flatMap { MediaType($0)?.charset }) ?? type.flatMap { MediaType($0)?.charset }
    var body: Scenario.Body
    var isCoded = false
    if let attached = content?.member("_file") {
      body = Scenario.Body(try file.contents(of: attached, in: file.folder, &left), type: type)
    } else if let content, content.value["text"] != nil, let found = try octets(content, type: charset) {
      body = Scenario.Body(found.bytes, type: type)
      isCoded = found.isCoded
    } else if let lost = lost(content, &reply, type) {
      body = lost
    } else {
      return nil
    }
    body.framing = fields[.contentLength] != nil ? .length : fields[.transferEncoding] != nil ? .chunked : nil
    if !isCoded { body.codings = codings(&reply) }
    return body
  }

  /// The content of a response that the file does not hold, or not in a form that can be read; `nil` if there was none, or
  /// if the response redirects, for which nobody needs it.
  private mutating func lost(
    _ content: ManifestNode?,
    _ reply: inout Scenario.Reply,
    _ type: String?
  ) -> Scenario.Body? {
    guard let head = reply.head?.response else { return nil }
    let isUnreadable = content?.value["text"] != nil
    let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    let size = max(content?.value["size"]?.intValue ?? 0, length)
    guard size > 0 || isUnreadable else { return nil }
    if (300..<400).contains(head.status.code), head.headerFields[.location] != nil {
      reply.head?.response.headerFields[.contentLength] = nil
      reply.head?.response.headerFields[.transferEncoding] = nil
      reply.head?.response.headerFields[.contentEncoding] = nil
      notes.add("redirects without its content, which the file does not hold")
      return nil
    }
    if !isUnreadable { notes.add("had no response body in the file") }
    let reason =
      isUnreadable ? "the HAR file holds it in no form that can be read" : "the HAR file does not hold it"
    var body = Scenario.Body(Bytes(), type: type)
    body.omission = Scenario.Body.Omission(bytes: size, reason: reason)
    return body
  }

  /// The codings that a replay applies again, for a HAR file holds decoded content. If it cannot, the fields say that
  /// there are none.
  private mutating func codings(_ reply: inout Scenario.Reply) -> [String] {
    let fields = reply.head?.response.headerFields ?? [:]
    let codings = ForeignBody.codings(fields)
    guard !isOwn, !ForeignBody.areKnown(codings) else { return codings }
    reply.head?.response.headerFields[.contentEncoding] = nil
    notes.add("lost its Content-Encoding, which a replay cannot apply: \(codings.joined(separator: ", "))")
    return []
  }

  /// The octets of the text of a content, and whether they are as they were sent, with their codings; `nil`, and a note,
  /// if they are not in the encoding that the file says.
  private mutating func octets(
    _ content: ManifestNode,
    type: Charset?
  ) throws -> (bytes: Bytes, isCoded: Bool)? {
    let node = try content.required("text")
    let text = try node.string()
    let encoding = content.value["encoding"]?.stringValue?.lowercased()
    if let found = HARChunks(text, encoding, isBinary: content.value["_isBinary"]?.boolValue == true) {
      return (found.bytes, found.isCoded)
    }
    if encoding == "base64" || encoding == "hex" {
      // Of a file of ours nothing is told.
      guard !isOwn else { throw node.failure("the text is not in the encoding \(encoding ?? "")") }
      notes.add("had content that is not in the encoding that the file says; it was left out")
      return nil
    }
    return (encoded(text, type), false)
  }

  /// The octets of a text in the charset of its fields.
  private mutating func encoded(_ content: String, _ type: Charset?) -> Bytes {
    // The tool has decoded it; the fields say how it was encoded.
    guard let type, type != .utf8 else { return Bytes(content) }
    guard let encoded = try? type.encode(content) else {
      notes.add("had text that \(type.name) does not hold; it is in UTF-8")
      return Bytes(content)
    }
    return Bytes(encoded)
  }

  // MARK: Heads

  /// The version as the scenario writes it: `HTTP/1.1`, `http/2.0`, `h2` and `h3-29` have the same form there.
  private func version(_ node: ManifestNode) -> String? {
    guard let text = node.value["httpVersion"]?.stringValue?.lowercased() else { return nil }
    if text.hasPrefix("http/2+quic") { return "3.0" }
    let number = text.hasPrefix("http/") ? text.dropFirst(5) : text.hasPrefix("h") ? text.dropFirst(1) : "-"
    switch number.prefix(1) {
    case "0": return "0.9"
    case "1": return number.hasPrefix("1.0") ? "1.0" : "1.1"
    case "2": return "2.0"
    case "3": return "3.0"
    default: return nil
    }
  }

  /// The media type of the member `mimeType`, which Polly writes as an array too; `nil` for the texts that stand for none.
  private static func type(_ content: ManifestNode) -> String? {
    let member = content.value["mimeType"]
    guard let text = (member?[0] ?? member)?.stringValue else { return nil }
    return text.isEmpty || text == "x-unknown" || MediaType(text) == nil ? nil : text
  }

  /// A length without the separators of thousands that Internet Explorer writes.
  private static func ungrouped(_ length: String) -> String {
    let groups = length.split(separator: ",", omittingEmptySubsequences: false)
    let isGrouped =
      groups.count > 1 && (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
      && length.utf8.allSatisfy {
        ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: ",")
      }
    // Two equal lengths are a list (RFC 9110 8.6).
    guard isGrouped, groups[0].count < 3 || Set(groups).count > 1 else { return length }
    return groups.joined()
  }

  /// Fields as objects of name and value, as pairs of them, or as members.
  private mutating func fields(_ node: ManifestNode?) throws -> HTTPFields {
    var fields = HTTPFields()
    guard let node else { return fields }
    var pairs: [(JSONValue?, JSONValue?)] = []
    if let object = node.value.objectValue {
      pairs = object.members.map { (.string($0.key), $0.value) }
    } else {
      pairs = try node.elements().map { field in
        field.value.arrayValue == nil
          ? (field.value["name"], field.value["value"]) : (field.value[0], field.value[1])
      }
    }
    for (name, value) in pairs {
      let text = name?.stringValue?.trimmingBlanks ?? ""
      // Pseudo-header fields of HTTP/2 stand among the others.
      guard !text.hasPrefix(":") else { continue }
      guard let name = HTTPField.Name(text) else {
        notes.add("had a field whose name is invalid; it was left out")
        continue
      }
      // Polly writes an array for a field that occurs more than once.
      let values = value?.arrayValue.map(Array.init) ?? [value ?? .null]
      let contents = values.map { $0.stringValue ?? ($0.isNull ? "" : $0.description) }
      // Some browsers join the values of equal fields with line feeds.
      for line in contents.flatMap({ $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
      ) {
        let value = String(line).trimmingBlanks
        guard HTTPField.isValidValue(value) else {
          notes.add("had a field whose value is invalid; it was left out")
          continue
        }
        fields.append(HTTPField(name: name, value: name == .contentLength ? Self.ungrouped(value) : value))
      }
    }
    return fields
  }
}

extension StringProtocol {
  /// Without spaces and tabs at its ends.
  var trimmingBlanks: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
