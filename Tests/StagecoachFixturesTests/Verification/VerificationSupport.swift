import HTTPTypes
import Stagecoach
import StagecoachFixtures

/// An exchange of a GET, or of a POST if there is content, whose reply has content of a type.
func contractExchange(
  _ id: String = "01",
  _ target: String = "http://service/users/42",
  body: String? = nil,
  status: Int = 200,
  type: String = "application/json",
  fields: HTTPFields = [:],
  answer: String,
  expect rules: [Scenario.Rule] = []
) -> Scenario.Exchange {
  let content = body.map { Scenario.Body(Bytes($0)) }
  var head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: type])
  head.headerFields.append(contentsOf: fields)
  var exchange = Scenario.Exchange(
    id: id,
    request: Scenario.Request(body == nil ? "GET" : "POST", target, body: content),
    reply: Scenario.Reply(Scenario.Head(head), body: Scenario.Body(Bytes(answer), type: type))
  )
  exchange.expect = rules
  return exchange
}

func contractScenario(_ exchanges: Scenario.Exchange..., title: String = "users") -> Scenario {
  var scenario = Scenario(title: title)
  scenario.exchanges = exchanges
  return scenario
}

/// A service that answers every request alike.
func service(
  status: Int = 200,
  type: String = "application/json",
  fields: HTTPFields = [:],
  _ answer: String
) -> HandlerTransport {
  HandlerTransport { _ in
    var all: HTTPFields = [.contentType: type]
    all.append(contentsOf: fields)
    return Response(.init(code: status), fields: all, body: .bytes(Bytes(answer)))
  }
}

/// Verifies one exchange.
func verify(_ exchange: Scenario.Exchange, against transport: any Transport) async throws
  -> VerificationReport.Exchange
{
  let report = try await Verification([contractScenario(exchange)], against: transport).run()
  return report.exchanges[0]
}
