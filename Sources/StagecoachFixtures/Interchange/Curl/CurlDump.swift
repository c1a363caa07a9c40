import HTTPTypes
import StagecoachCore

/// Reads what `curl -i` prints: the heads of responses, and the content of each that curl did not go on from. It names
/// no requests: the first URL is assumed, and those after it are found in the redirects.
struct CurlDump {
  /// Stands for the URL, which is not in the file.
  private static let url = "http://localhost/"

  private let file: ForeignFile
  private var scenario = Scenario()
  private var notes = ExchangeTally()
  /// The URL of the next request, and why it is sent.
  private var next = Self.url
  private var cause: Scenario.Cause?
  private var informational: [Scenario.Head] = []

  static func scenario(in file: ForeignFile) async throws -> ImportedScenario {
    var dump = CurlDump(file: file)
    do {
      try await dump.read()
    } catch let failure as MessageText.Failure {
      let line = MessageText.line(of: failure.offset, in: file.bytes)
      throw ScenarioError(.invalid, file: file.name, line: line, failure.message)
    }
    let note = "the file names no requests: GET and \(url) are assumed; edit scenario.json"
    return ImportedScenario(scenario: dump.scenario, notes: [note] + dump.notes.sentences)
  }

  private init(file: ForeignFile) {
    self.file = file
  }

  private mutating func read() async throws {
    var rest = file.bytes[...]
    while !rest.isEmpty {
      let message = try MessageText(rest)
      guard let (response, version) = message.response else {
        throw MessageText.Failure(offset: rest.startIndex, message: "expected a line HTTP/1.1 STATUS REASON")
      }
      guard scenario.exchanges.count < ForeignFile.maxExchanges else {
        throw ScenarioError(
          .limit,
          file: file.name,
          "the file has more than \(ForeignFile.maxExchanges) responses"
        )
      }
      rest = rest[message.contentStart...]
      let head = Scenario.Head(response, version: version)
      guard response.status.code >= 200 else {
        informational.append(head)
        continue
      }
      let content = Self.content(&rest, response)
      // The answer of a proxy, before what came through its tunnel.
      let isTunnel = content == nil && response.status.reasonPhrase.lowercased() == "connection established"
      if !isTunnel { await add(head, content) }
      informational = []
    }
    guard !scenario.exchanges.isEmpty else {
      throw MessageText.Failure(offset: 0, message: "no final response")
    }
  }

  private mutating func add(_ head: Scenario.Head, _ content: ArraySlice<UInt8>?) async {
    let fields = head.response.headerFields
    var reply = Scenario.Reply(head)
    reply.informational = informational
    if let content {
      var body = Scenario.Body(Bytes(content), type: fields[.contentType])
      body.framing =
        fields[.contentLength] != nil ? .length : fields[.transferEncoding] != nil ? .chunked : nil
      let coded = await ForeignBody(body, fields)
      if coded.wasDecoded {
        notes.add("had content without the codings that its fields name; a replay applies them")
      }
      reply.body = coded.body
    }
    let id = Scenario.identifier(at: scenario.exchanges.count)
    var exchange = Scenario.Exchange(id: id, request: Scenario.Request("GET", next), reply: reply)
    exchange.cause = cause
    scenario.exchanges.append(exchange)
    (next, cause) = (Self.url, nil)
    guard content == nil else { return }
    // curl goes on without showing the content: after a redirect, or with the answer to a challenge.
    if (300...399).contains(head.response.status.code), let location = fields[.location],
      let base = try? TargetURI(parsing: exchange.request.target),
      let target = try? base.resolving(location)
    {
      next = "\(target)"
      cause = Scenario.Cause(.redirect, of: id)
    } else if head.response.status == .unauthorized {
      next = exchange.request.target
      cause = Scenario.Cause(.challenge, of: id)
    }
  }

  /// Takes the content of a response; `nil` if another head follows at once, or nothing does.
  private static func content(_ rest: inout ArraySlice<UInt8>, _ response: HTTPResponse) -> ArraySlice<UInt8>?
  {
    guard !rest.isEmpty, !isHead(rest) else { return nil }
    // The content of one URL before the head for the next one; without a length, all belongs to this one.
    if let length = response.headerFields[.contentLength].flatMap({ Int($0) }), length >= 0,
      length < rest.count,
      isHead(rest.dropFirst(length))
    {
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
    defer { rest = [] }
    return rest
  }

  /// Whether a status line begins here.
  private static func isHead(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: "HTTP/".utf8) else { return false }
    return (try? MessageText(text.prefix { $0 != UInt8(ascii: "\n") }))?.response != nil
  }
}
