#if Tool
  import NIOCore
  import NIOHTTP1
  import StagecoachCore

  /// The result of a route.
  enum Outcome {
    case reply(Reply)
    /// Never answer; the idle timeout ends it.
    case hang
    /// Close the connection without an answer.
    case close
  }

  /// A response, before the fields that frame it and the date are added.
  struct Reply {
    enum Body {
      case bytes(ByteBuffer)
      case stream(any BodyProducer)
    }

    var status: HTTPResponseStatus
    var fields: HTTPHeaders
    var body: Body
    /// Interim responses (RFC 9110 15.2) that go out first.
    var interim: [HTTPResponseHead] = []
    /// The delay before the response is sent.
    var delay: TimeAmount?
    /// Whether to close the connection afterwards.
    var closes = false

    init(_ status: HTTPResponseStatus = .ok, fields: HTTPHeaders = [:], body: Body = .bytes(ByteBuffer())) {
      self.status = status
      self.fields = fields
      self.body = body
    }

    init(_ status: HTTPResponseStatus = .ok, type: String, _ bytes: ByteBuffer) {
      self.init(status, fields: ["Content-Type": type], body: .bytes(bytes))
    }

    init(_ status: HTTPResponseStatus = .ok, text: String) {
      self.init(status, type: "text/plain; charset=utf-8", ByteBuffer(string: text))
    }

    init(_ status: HTTPResponseStatus = .ok, json: JSONValue) {
      self.init(status, type: "application/json", json.encoded())
    }
  }

  /// A request that a route cannot serve.
  struct Refusal: Error {
    var status: HTTPResponseStatus
    var reason: String

    init(_ status: HTTPResponseStatus, _ reason: String) {
      self.status = status
      self.reason = reason
    }

    /// The request is malformed: 400.
    init(_ reason: String) { self.init(.badRequest, reason) }
  }
#endif
