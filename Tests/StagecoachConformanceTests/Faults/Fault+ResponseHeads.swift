#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach

  extension Fault {
    /// The status and the header section of responses.
    static let responseHeads: [Fault] = [
      .response(
        "an unknown status becomes the first of its class",
        noticedBy: ["041": "the status is 200"]
      ) {
        if $0.status.code == 299 { $0.status = .ok }
      },
      .response("a status beyond 599 becomes 500", noticedBy: ["041": "the status is 500, expected [600]"]) {
        if $0.status.code > 599 { $0.status = .internalServerError }
      },
      .response("an unsuccessful status is thrown", noticedBy: ["041": "it failed: no response, status"]) {
        if $0.status.code >= 400 { throw ExchangeError(.status, "the status is \($0.status.code)") }
      },
      .responseFields("an empty value is dropped", noticedBy: ["049b": "X-Empty has the values []"]) {
        $0.filter { !$0.value.isEmpty }
      },
      .responseFields("repeated fields are joined", noticedBy: ["049": "has the values"]) { fields in
        let joined = HTTPFields(fields)
        return fields.indices.filter { index in !fields[..<index].contains { $0.name == fields[index].name } }
          .map { HTTPField(name: fields[$0].name, value: joined[fields[$0].name] ?? "") }
      },
      .responseFields("of a repeated field the last is kept", noticedBy: ["049": "has the values"]) {
        fields in
        fields.indices.filter { index in !fields[(index + 1)...].contains { $0.name == fields[index].name } }
          .map { fields[$0] }
      },
      .responseFields("repeated fields come in reverse", noticedBy: ["049": "has the values"]) {
        $0.reversed()
      },
      .responseFields(
        "names come in lower case",
        noticedBy: ["050c": "the fields are [\"x-lower\", \"x-upper\""]
      ) {
        fields in
        fields.map { HTTPField(name: HTTPField.Name($0.name.rawName.lowercased())!, value: $0.value) }
      },
      .responseFields(
        "fields of a response are sorted by name",
        noticedBy: ["050c": "the fields are [\"Content-Length\""]
      ) {
        $0.sorted { $0.name.rawName < $1.name.rawName }
      },
      .responseFields("Set-Cookie is not delivered", noticedBy: ["049": "Set-Cookie has the values []"]) {
        $0.filter { $0.name != .setCookie }
      },
      .responseFields(
        "Content-Length is not delivered",
        noticedBy: ["068": "Content-Length has the values []"]
      ) {
        $0.filter { $0.name != .contentLength }
      },
      .responseFields(
        "Content-Encoding is not delivered",
        noticedBy: ["073": "Content-Encoding has the values []"]
      ) {
        $0.filter { $0.name != .contentEncoding }
      },
      .responseFields(
        "WWW-Authenticate is not delivered",
        noticedBy: ["109": "challenge: WWW-Authenticate has"]
      ) {
        $0.filter { $0.name != .wwwAuthenticate }
      },
      .responseFields("values beyond ASCII lose it", noticedBy: ["053": "X-Name has the octets"]) { fields in
        fields.map { HTTPField(name: $0.name, value: String($0.value.filter(\.isASCII))) }
      },
      .responseFields(
        "values of Latin-1 come in UTF-8",
        noticedBy: ["053": "X-Name has the octets", "053b": "the value is"]
      ) { fields in
        fields.map { HTTPField(name: $0.name, value: $0.textFromLatin1) }
      },
      .responseFields("long values are cut", noticedBy: ["051": "within: X-"]) { fields in
        fields.map { HTTPField(name: $0.name, value: String($0.value.prefix(8192))) }
      },
      .request(
        "the limit of heads is ignored",
        noticedBy: ["051": "a field beyond the limit for one: expected"]
      ) {
        $0.options.responseHeadLimits.bytes = 1 << 20
        $0.options.responseHeadLimits.fieldBytes = 1 << 20
      },
      .request(
        "the limit of heads that a request sets is ignored",
        noticedBy: ["051": "beyond a limit of one's own: expected a failure"]
      ) { $0.options.responseHeadLimits = .init() },
      .response(
        "the source of a response is a cache",
        noticedBy: ["039": "the response is said to come from cache"]
      ) {
        $0.source = .cache
      },
      .response("the version is missing", noticedBy: ["107c": "the version is unknown"]) {
        $0.version = nil
      },
      .response("the version is that of HTTP/1.1", noticedBy: ["107c": "the version is HTTP/1.1"]) {
        $0.version = .http11
      },
    ]

    private static func responseFields(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable ([HTTPField]) -> [HTTPField]
    ) -> Fault {
      response(name, noticedBy: checks) { $0.fields = HTTPFields(change(Array($0.fields))) }
    }
  }
#endif
