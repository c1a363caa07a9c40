import HTTPTypes
import Stagecoach
import StagecoachTransportKit
import Testing

@Suite struct ProxyAnswerTests {
  private func answer(
    _ kind: Proxy.Kind = .http,
    user: String? = "ada",
    digest: Bool = false,
    to url: (scheme: String, authority: String) = ("https", "origin.test")
  ) -> ProxyAnswer {
    var proxy = Proxy(kind, host: "proxy.test", port: 3128, user: user, password: user.map { _ in "hunter2" })
    if digest { proxy.authentication = .digest }
    let head = HTTPRequest(method: .get, scheme: url.scheme, authority: url.authority, path: "/")
    return ProxyAnswer(of: proxy, to: head)
  }

  @Test(
    arguments: [
      (400, .proxyRefused), (403, .proxyRefused), (404, .proxyRefused), (405, .proxyRefused),
      (407, .proxyRefused), (302, .proxyRefused), (408, .connectionFailed), (429, .connectionFailed),
      (502, .connectionFailed), (503, .connectionFailed), (504, .connectionFailed),
    ] as [(Int, ExchangeError.Kind)]
  )
  func aRefusedCONNECTKeepsItsResponse(status: Int, kind: ExchangeError.Kind) {
    let error = answer().connect(status: status)
    #expect(error.kind == kind)
    #expect(error.response?.status.code == status)
    #expect(error.requestMayHaveBeenSent == false)
    let start = "the proxy http://…@proxy.test:3128 answered CONNECT origin.test:443 with \(status)"
    #expect(error.message.hasPrefix(start))
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test func anUnknownStatusIsARefusal() {
    let error = answer(to: ("http", "[::1]:8080")).connect(status: nil)
    #expect(error.kind == .proxyRefused && error.response == nil)
    #expect(error.message.contains("CONNECT [::1]:8080"))
    #expect(error.advice?.hasSuffix("CURL forwards http requests without CONNECT") == true)
    #expect(answer().connect(status: nil).advice?.hasSuffix("many only allow port 443") == true)
  }

  @Test(
    arguments: [
      (nil, false, [], "give the proxy a name and a password"),
      ("ada", false, ["Digest", "Negotiate"], "use Digest for the proxy: set its authentication to .digest"),
      ("ada", false, ["Basic", "Digest"], "check the name and the password of the proxy"),
      ("ada", false, [], "check the name and the password of the proxy; if it only takes Digest, set"),
      ("ada", true, ["Basic"], "use a scheme that the proxy offers: set its authentication to .basic"),
      ("ada", true, ["Digest"], "check the name and the password of the proxy"),
    ] as [(String?, Bool, [String], String)]
  )
  func theAdviceOfA407DependsOnItsSchemes(
    user: String?,
    digest: Bool,
    schemes: [String],
    advice: String
  ) {
    let error = answer(user: user, digest: digest).connect(status: 407, offering: schemes)
    #expect(error.advice?.hasPrefix(advice) == true, "\(error.advice ?? "")")
    #expect(schemes.isEmpty || error.message.hasSuffix("offers \(schemes.joined(separator: ", "))"))
  }

  @Test(
    arguments: [
      (1, .connectionFailed), (2, .proxyRefused), (3, .connectionFailed), (4, .connectionFailed),
      (5, .connectionFailed), (6, .connectionFailed), (7, .proxyRefused), (8, .proxyRefused),
      (200, .connectionFailed),
    ] as [(UInt8, ExchangeError.Kind)]
  )
  func aReplyOfSOCKSHasAKind(reply: UInt8, kind: ExchangeError.Kind) {
    let error = answer(.socks5h, user: nil).socks(reply: reply)
    #expect(error.kind == kind)
    #expect(error.message.hasSuffix("(SOCKS reply \(reply))"))
  }

  @Test(arguments: [
    (
      nil,
      "give the proxy a name and a password, over a transport that sends them to SOCKS proxies, such as CURL"
    ),
    ("ada", "check what the proxy accepts: it was offered a name and a password"),
  ])
  func aSOCKSProxyThatRefusesAllMethodsIsNamed(user: String?, advice: String) {
    let error = answer(.socks5h, user: user).wantsAuthentication
    #expect(error.kind == .proxyRefused && error.requestMayHaveBeenSent == false)
    #expect(error.message.contains("requires a way to authenticate"))
    #expect(error.advice == advice)
  }

  @Test func aRefusedPasswordIsNotShown() {
    let error = answer(.socks5h).refusesPassword
    #expect(error.kind == .proxyRefused && error.requestMayHaveBeenSent == false)
    #expect(error.message == "the proxy socks5h://…@proxy.test:3128 refused the name or the password")
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test func aProxyThatIsDownIsNamed() {
    let error = answer().down("Connection refused")
    #expect(error.kind == .connectionRefused && error.requestMayHaveBeenSent == false)
    #expect(error.message.hasSuffix("the proxy http://…@proxy.test:3128 (Connection refused)"))
  }

  @Test func onlyATimeoutOfConnectingNamesTheProxy() throws {
    let answer = answer(.socks5h, user: nil)
    let connecting = try #require(
      answer.named(ExchangeError.timeout(.connect, after: .seconds(1))) as? ExchangeError
    )
    #expect(connecting.message.hasSuffix("by way of the proxy socks5h://proxy.test:3128"))
    let head = try #require(answer.named(ExchangeError.timeout(.head, after: .seconds(1))) as? ExchangeError)
    #expect(!head.message.contains("proxy"))
  }
}
