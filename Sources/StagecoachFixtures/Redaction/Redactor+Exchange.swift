import HTTPTypes
import StagecoachCore

extension Redactor {
  /// An exchange without secrets.
  struct RedactedExchange {
    var exchange: Scenario.Exchange
    var summary = RedactionSummary()
  }

  /// Returns an exchange without the secrets that were learned. The lengths in its fields are those of the new contents.
  ///
  /// - Throws: ``RedactionError``, also if a secret remains.
  func redact(_ exchange: Scenario.Exchange) throws(RedactionError) -> RedactedExchange {
    var result = RedactedExchange(exchange: exchange)
    result.exchange.redacted = []
    let request = try redact(exchange.request.message, side: "request", listed: exchange.redacted)
    result.add(request)
    result.exchange.request.target = request.message.target ?? exchange.request.target
    result.exchange.request.fields = request.message.fields
    if let trailers = exchange.request.trailers {
      result.exchange.request.trailers = trailers.isEmpty ? trailers : request.message.trailers
    }
    result.exchange.request.body?.replace(request.message.body, &result.exchange.request.fields)
    for index in exchange.reply.informational.indices {
      let message = RedactableMessage(response: exchange.reply.informational[index].response.headerFields)
      let head = try redact(message, side: Self.informational, listed: exchange.redacted)
      result.add(head)
      result.exchange.reply.informational[index].response.headerFields = head.message.fields
    }
    if let message = exchange.reply.message {
      let reply = try redact(message, side: "reply", listed: exchange.redacted)
      result.add(reply)
      if exchange.reply.trailers != nil { result.exchange.reply.trailers = reply.message.trailers }
      var fields = reply.message.fields
      result.exchange.reply.body?.replace(reply.message.body, &fields)
      result.exchange.reply.head?.response.headerFields = fields
    }
    let leaks = leaks(in: result.exchange.placedMessages)
    guard leaks.isEmpty else { throw .leaked(leaks) }
    return result
  }

  /// The name of the place of informational responses.
  fileprivate static let informational = "informational response"

  /// Learns the secrets of a base URL, and returns it without them, as it stands in the targets of redacted exchanges.
  ///
  /// - Parameter listed: The made-up values of these exchanges.
  func redact(
    origin: String,
    listed: [Scenario.RedactedLeaf] = []
  ) -> (origin: String, summary: RedactionSummary) {
    let message = RedactableMessage(method: "GET", target: origin)
    guard (try? learn([message])) != nil,
      let result = try? redact(message, side: "request", listed: listed), let url = result.message.target
    else {
      return (String(Scenario().parts(of: origin).origin), RedactionSummary())
    }
    return (url, result.summary)
  }

  /// Returns the places in an exchange of secrets with some names.
  func places(of names: Set<String>, in exchange: Scenario.Exchange) throws(RedactionError)
    -> [RedactionSummary.Entry]
  {
    guard !names.isEmpty, exchange.omission == nil else { return [] }
    var places: [RedactionSummary.Entry] = []
    var seen: Set<RedactionSummary.Entry> = []
    for (side, message) in exchange.placedMessages {
      let replaced = try redact(message, side: side, listed: exchange.redacted).summary.replaced
      places += replaced.filter { names.contains($0.name) && seen.insert($0).inserted }
    }
    return places
  }
}

extension Redactor {
  /// Returns an exchange without the secrets that were learned, or if that fails, with its method and path alone.
  ///
  /// - Parameter omission: Why it cannot be written; set if that is found now.
  func redacted(_ exchange: Scenario.Exchange, omission: inout String?) -> RedactedExchange {
    if omission == nil {
      do { return try redact(exchange) } catch { omission = "\(error)" }
    }
    let reason = omission ?? ""
    let redacted = try? redact(exchange.omitted(because: reason, hidesPath: false))
    return redacted ?? RedactedExchange(exchange: exchange.omitted(because: reason, hidesPath: true))
  }
}

extension Redactor.RedactedExchange {
  fileprivate mutating func add(_ result: RedactionWalk.Result) {
    exchange.redacted += result.listed
    summary.add(result.summary)
  }
}

extension Scenario.Body {
  /// Replaces the content, and the length that a field tells of it.
  fileprivate mutating func replace(_ content: Bytes?, _ fields: inout HTTPFields) {
    guard omission == nil, let content, content != bytes else { return }
    if codings.isEmpty, fields[.contentLength] == "\(bytes.count)" {
      fields[.contentLength] = "\(content.count)"
    }
    if content.count != bytes.count { chunks = [] }
    bytes = content
  }
}

extension Scenario.Exchange {
  /// What is searched for secrets, with the names of the places.
  var placedMessages: [(place: String, message: RedactableMessage)] {
    var messages = [("request", request.message)]
    for head in reply.informational {
      messages.append((Redactor.informational, RedactableMessage(response: head.response.headerFields)))
    }
    if let message = reply.message { messages.append(("reply", message)) }
    return messages
  }

  /// The exchange without all that could not be written safely.
  ///
  /// - Parameter hidesPath: Whether the path is left out as well.
  func omitted(because reason: String, hidesPath: Bool) -> Scenario.Exchange {
    let url = request.target
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let path = url[start...].firstIndex { "/?#*".contains($0) } ?? url.endIndex
    let end = url[path...].firstIndex { "?#".contains($0) } ?? url.endIndex
    let target = hidesPath ? "\(url[..<path])/" : String(url[..<end])
    var copy = Scenario.Exchange(
      id: id,
      request: Scenario.Request(request.method, target),
      reply: Scenario.Reply(Scenario.Outcome(.complete))
    )
    copy.omission = reason
    return copy
  }
}

extension Scenario.Request {
  /// What is searched for secrets.
  var message: RedactableMessage {
    var message = RedactableMessage(
      method: method,
      target: target,
      fields: fields,
      body: body?.bytes,
      mediaType: body?.type.flatMap { MediaType($0) }
    )
    message.trailers = trailers ?? [:]
    return message
  }
}

extension Scenario.Reply {
  /// What is searched for secrets; `nil` if no head came.
  var message: RedactableMessage? {
    head.map {
      var message = RedactableMessage(
        response: $0.response.headerFields,
        trailers: trailers ?? [:],
        body: body?.bytes,
        mediaType: body?.type.flatMap { MediaType($0) }
      )
      message.isPartial = $0.response.status == .partialContent
      return message
    }
  }
}
