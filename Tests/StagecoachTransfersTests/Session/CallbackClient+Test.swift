import Dispatch
import Stagecoach
import StagecoachTransfers

extension CallbackClient {
  /// A client over a transport, with the standard chain and the base URL `http://h/v1/`.
  static func test(
    _ transport: HandlerTransport,
    queue: DispatchQueue = DispatchQueue(label: "test"),
    defaults: Client.Defaults = Client.Defaults()
  ) throws -> CallbackClient {
    try CallbackClient(callbackQueue: CallbackQueue(queue)) {
      try Client(over: transport, base: "http://h/v1/", configuration: .init(defaults: defaults))
    }
  }
}

extension HandlerTransport {
  /// A transport that answers everything with a JSON text.
  static func json(_ text: Bytes) -> HandlerTransport {
    HandlerTransport { _ in Response(.ok, fields: [.contentType: "application/json"], body: .bytes(text)) }
  }
}
