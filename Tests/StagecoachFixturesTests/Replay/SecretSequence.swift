import HTTPTypes
import Stagecoach
import StagecoachFixtures

/// A recorded sequence of requests with secrets, which can be sent with other values.
struct SecretSequence: Sendable, CustomStringConvertible {
  /// A request and its reply, as they are with some values of the secrets.
  struct Step: Sendable {
    var method = "GET"
    var target: String
    var fields: HTTPFields = [:]
    var body: String?
    var status = 200
    var replyFields: HTTPFields = [:]
    var reply = "{}"
    /// The made-up values.
    var redacted: [Scenario.RedactedLeaf] = []
  }

  /// Returns the value of a secret.
  typealias Values = (_ identifier: String, _ madeUp: String?) -> String

  let description: String
  /// A text of the requests that is no secret, and another one.
  let change: (of: String, to: String)
  let steps: [@Sendable (Values) -> Step]

  init(_ name: String, change: (String, String), _ steps: (@Sendable (Values) -> Step)...) {
    description = name
    self.change = (change.0, change.1)
    self.steps = steps
  }

  /// The values that stand in the recording.
  static func recorded(_ identifier: String, _ madeUp: String?) -> String { madeUp ?? "SECRET-\(identifier)" }

  func step(_ index: Int, _ values: Values) -> Step { steps[index](values) }

  /// Other values of the same kinds, for secrets that no earlier reply has.
  static func fresh(except handedOut: Set<String>) -> Values {
    { identifier, madeUp in
      guard !handedOut.contains(identifier) else { return recorded(identifier, madeUp) }
      guard let madeUp else { return "fresh-\(identifier.lowercased())" }
      return String(madeUp.map { $0.isNumber ? "7" : $0.isLetter ? "a" : $0 })
    }
  }

  var scenario: Scenario { scenario(Self.recorded) }

  func scenario(_ values: Values) -> Scenario {
    var scenario = Scenario(title: description)
    scenario.origins = [.init(name: "api", origin: "https://api.example.com")]
    scenario.exchanges = steps.indices.map { index in
      let step = step(index, values)
      var fields = step.replyFields
      if fields[.contentType] == nil { fields[.contentType] = "application/json" }
      var exchange = Scenario.Exchange(
        id: "0\(index + 1)",
        request: Scenario.Request(
          step.method,
          "https://api.example.com\(step.target)",
          fields: step.fields,
          body: step.body.map { Scenario.Body(Bytes($0), type: step.fields[.contentType]) }
        ),
        reply: Scenario.Reply(
          Scenario.Head(HTTPResponse(status: .init(code: step.status), headerFields: fields)),
          body: Scenario.Body(Bytes(step.reply), type: fields[.contentType])
        )
      )
      exchange.redacted = step.redacted
      return exchange
    }
    return scenario
  }

  /// The secrets that the request of a step has.
  func secrets(ofRequest index: Int) -> Set<String> {
    secrets(of: index) { "\($0.target) \($0.fields.map(\.value)) \($0.body ?? "")" }
  }

  /// The secrets that replies before a step have and no request before them.
  func handedOut(before index: Int) -> Set<String> {
    var (handedOut, sent): (Set<String>, Set<String>) = ([], [])
    for earlier in steps.indices.prefix(index) {
      sent.formUnion(secrets(ofRequest: earlier).subtracting(handedOut))
      let reply = secrets(of: earlier) { "\($0.replyFields.map(\.value)) \($0.reply)" }
      handedOut.formUnion(reply.subtracting(sent))
    }
    return handedOut
  }

  /// The secrets on which a text of a step depends.
  private func secrets(of index: Int, _ text: (Step) -> String) -> Set<String> {
    var names: Set<String> = []
    let recorded = text(
      step(index) { identifier, madeUp in
        names.insert(identifier)
        return Self.recorded(identifier, madeUp)
      }
    )
    return names.filter { name in text(step(index) { $0 == name ? "?" : Self.recorded($0, $1) }) != recorded }
  }

  /// The request of a step with another text in place of one that is no secret; `nil` if it has none.
  func changedRequest(_ index: Int, _ values: Values) -> Request? {
    func changed(_ text: String) -> String { text.replacing(change.of, with: change.to) }
    let request = request(index, values)
    let step = step(index, values)
    var other = Request(request.method, "https://api.example.com\(changed(step.target))")
    other.fields = HTTPFields(step.fields.map { HTTPField(name: $0.name, value: changed($0.value)) })
    if let body = step.body { other.body = .bytes(Bytes(changed(body))) }
    let isSame =
      changed(step.target) == step.target && other.fields == step.fields
      && step.body.map(changed) == step.body
    return isSame ? nil : other
  }

  /// The request of a step.
  func request(_ index: Int, _ values: Values) -> Request {
    let step = step(index, values)
    var request = Request(
      HTTPRequest.Method(step.method)!,
      "https://api.example.com\(step.target)",
      fields: step.fields
    )
    if let body = step.body { request.body = .bytes(Bytes(body)) }
    return request
  }
}
