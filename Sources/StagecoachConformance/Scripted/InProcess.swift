import HTTPTypes
import StagecoachCore

extension SeenRequest {
  /// A request as it would look on a wire.
  init(_ request: Request) async throws {
    var body: [UInt8] = []
    let source = try request.body.makeSource()
    while let chunk = try await source.next() { body += chunk.array }
    var fields = request.fields.map { (name: $0.name.rawName, value: $0.value) }
    if !request.fields.contains(.init("Host")!) {
      fields.insert(("Host", request.head.authority ?? ""), at: 0)
    }
    self.init(
      startLine: "\(request.method.rawValue) \(request.head.path ?? "/") HTTP/1.1",
      fields: fields,
      body: body
    )
  }
}

extension Response {
  /// The response that a script's text is, of known length.
  init(wire text: String) throws {
    let bytes = try WireStep.bytes(of: text)
    let lines = text.split(separator: "\r\n", maxSplits: .max, omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, let code = Int(words[1]), let end = lines.firstIndex(of: "") else {
      throw ScriptError("the response is too odd for a transport without a wire")
    }
    var fields = HTTPFields()
    for line in lines[1..<end] {
      let field = try SeenRequest.nameAndOctets(try WireStep.bytes(of: String(line))[...])
      guard let name = HTTPField.Name(field.name) else {
        throw ScriptError("\(field.name) is not a field name")
      }
      fields.append(HTTPField(name: name, value: field.octets))
    }
    let headLength = lines[..<end].reduce(2) { $0 + $1.unicodeScalars.count + 2 }
    let reason = words.count > 2 ? String(words[2]) : ""
    self.init(
      HTTPResponse.Status(code: code, reasonPhrase: reason),
      fields: fields,
      body: .bytes(Bytes(Array(bytes.dropFirst(headLength))))
    )
  }
}
