import HTTPTypes
import StagecoachCore

extension Redactor {
  /// Creates a redactor that knows the placeholders of a scenario; `nil` if its requests have none.
  convenience init?(knowing scenario: Scenario) {
    let exchanges = scenario.exchanges.map { exchange in
      var exchange = exchange
      exchange.request.target = scenario.url(of: exchange.request.target) ?? exchange.request.target
      return exchange
    }
    guard exchanges.contains(where: { $0.request.hasPlaceholder }) else { return nil }
    self.init()
    // A recording that is too large to learn from was not made by a recorder; requests are compared as they are then.
    do { try learn(exchanges.flatMap(\.messages)) } catch { return nil }
  }

  /// Returns an exchange without secrets. The lengths in its fields are those of the new contents.
  func redact(_ exchange: Scenario.Exchange) throws(RedactionError) -> Scenario.Exchange {
    var copy = exchange
    let request = try redact(exchange.request.message)
    copy.request.target = request.target ?? exchange.request.target
    copy.request.fields = request.fields
    if let trailers = exchange.request.trailers {
      copy.request.trailers = trailers.isEmpty ? trailers : request.trailers
    }
    copy.request.body?.replace(request.body, &copy.request.fields)
    for index in exchange.reply.informational.indices {
      let head = RedactableMessage(response: exchange.reply.informational[index].response.headerFields)
      copy.reply.informational[index].response.headerFields = try redact(head).fields
    }
    guard let message = exchange.reply.message else { return copy }
    let reply = try redact(message)
    copy.reply.head?.response.headerFields = reply.fields
    if exchange.reply.trailers != nil { copy.reply.trailers = reply.trailers }
    var fields = reply.fields
    copy.reply.body?.replace(reply.body, &fields)
    copy.reply.head?.response.headerFields = fields
    return copy
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
  /// What is searched for secrets.
  var messages: [RedactableMessage] {
    let heads = reply.informational.map { RedactableMessage(response: $0.response.headerFields) }
    return [request.message] + heads + [reply.message].compactMap(\.self)
  }
}

extension Scenario.Request {
  fileprivate var hasPlaceholder: Bool {
    let mark = "{{secret:"
    return target.contains(mark) || fields.contains { $0.value.contains(mark) }
      || body.map { [UInt8]($0.bytes).firstRange(of: mark.utf8) != nil } ?? false
  }

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
  fileprivate var message: RedactableMessage? {
    head.map {
      RedactableMessage(
        response: $0.response.headerFields,
        trailers: trailers ?? [:],
        body: body?.bytes,
        mediaType: body?.type.flatMap { MediaType($0) }
      )
    }
  }
}
