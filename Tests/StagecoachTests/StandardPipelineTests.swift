import Stagecoach
import TestSupport
import Testing

@Suite struct StandardPipelineTests {
  @Test func stagesAreInTheOrderOfTheArticle() {
    let pipeline = Pipeline.standard(over: HandlerTransport { _ in Response(.ok) })
    #if ContentCoding
      let decoding = "ContentDecoding ▸ "
    #else
      let decoding = ""
    #endif
    #expect(
      "\(pipeline)"
        == "Validation ▸ \(decoding)Redirects ▸ Retry ▸ Authentication ▸ Cookies ▸ HandlerTransport"
    )
  }

  #if ContentCoding
    @Test func itsStagesCanBeLeftOutAndReplaced() throws {
      let server = HandlerTransport { _ in Response(.ok) }
      let jar = CookieJar()
      let pipeline = Pipeline.standard(
        over: server,
        contentDecoding: nil,
        redirects: nil,
        retry: nil,
        cookies: Cookies(jar: jar)
      )
      #expect("\(pipeline)" == "Validation ▸ Authentication ▸ Cookies ▸ HandlerTransport")
      let own = try #require(pipeline.stages.last as? Cookies)
      #expect(own.jar === jar)
      let bare = Pipeline.standard(
        over: server,
        validation: nil,
        contentDecoding: nil,
        redirects: nil,
        retry: nil,
        authentication: nil,
        cookies: nil
      )
      #expect("\(bare)" == "HandlerTransport")
    }
  #endif

  @Test func connectionsAndTrustAreRefusedOverATransportThatWasMadeWithoutThem() throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    var proxied = Client.Configuration()
    proxied.connections.proxy = .environment
    var strict = Client.Configuration()
    strict.trust.minimumVersion = .tls13
    for configuration in [proxied, strict] {
      for make in [
        { try Client(over: transport, configuration: configuration) },
        { try Client(Pipeline(over: transport, stages: []), configuration: configuration) },
      ] {
        let error = #expect(throws: ExchangeError.self) { _ = try make() }
        #expect(error?.kind == .invalidRequest)
      }
    }
  }
}
