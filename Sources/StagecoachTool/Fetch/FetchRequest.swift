#if Tool
  import HTTPTypes
  import Stagecoach

  extension FetchCommand {
    /// The longest file that `--json @FILE` reads: 64 MiB.
    private static let jsonFileLimit = 64 << 20

    /// The request that the options describe.
    ///
    /// - Throws: `ExchangeError`.
    func makeRequest() async throws -> Request {
      let hasContent =
        jsonArgument != nil || body != nil || plist != nil || !formFields.isEmpty || !partArguments.isEmpty
      var request = Request(method?.method ?? (hasContent ? .post : .get), url)
      try common.apply(to: &request)
      var encoder = QueryEncoder()
      encoder.keyOrder = .asGiven
      try RequestContent.query(Parameters(try query().map(\.member)), encoder: encoder).apply(to: &request)
      if let json = try json() { try RequestContent.json(await Self.value(of: json)).apply(to: &request) }
      if !formFields.isEmpty {
        let members = try formMembers().map(\.member)
        try RequestContent.form(Parameters(members), encoder: encoder).apply(to: &request)
      }
      if !partArguments.isEmpty {
        try RequestContent.multipart(.form(try parts().map { try $0.part() })).apply(to: &request)
      }
      if let plist {
        request.body = try plist.body()
        if !request.fields.contains(.contentType) {
          request.fields[.contentType] = MediaType.propertyList.description
        }
      }
      if let body { request.body = try body.body() }
      try policy.apply(to: &request)
      if keepsContentCoding {
        if !request.fields.contains(.acceptEncoding) { request.fields[.acceptEncoding] = "identity" }
        request.options.keepsContentCoding = true
      }
      if form == .sse { request.options.idleTimeout = nil }
      return request
    }

    private static func value(of argument: JSONArgument) async throws -> JSONValue {
      switch argument {
      case .value(let value): return value
      case .file(let file):
        let text = try await file.content(limit: jsonFileLimit)
        do {
          return try JSONValue(parsing: text)
        } catch {
          throw ExchangeError(
            .file,
            "\(file.shownName) is not valid JSON: \(error)",
            advice: "use --body to send it unchanged",
            underlying: error
          )
        }
      }
    }
  }
#endif
