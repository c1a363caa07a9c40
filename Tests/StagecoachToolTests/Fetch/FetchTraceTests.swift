#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  /// `--trace` shows what each policy stage decides, and why.
  @Suite(.timeLimit(.minutes(15))) struct FetchTraceTests {
    /// A run of `fetch`, and what its trace has to show, in this order.
    struct Case: Sendable, CustomTestStringConvertible {
      var path: String
      var options: [String] = []
      var status: Int32 = 0
      var lines: [String]

      var testDescription: String { ([path] + options).joined(separator: " ") }
    }

    /// Runs the tool; `ORIGIN` stands for the URL of the origin, `OTHER` for that of another one.
    private static func check(_ test: Case) async throws {
      let (origin, other) = (try await Origin.start(), try await Origin.start())
      let put: (String) -> String = {
        $0.replacing("ORIGIN", with: origin.url).replacing("OTHER", with: other.url)
      }
      let arguments = ["fetch", origin.url + put(test.path), "--trace"] + test.options.map(put)
      let outcome = try await ToolProcess(arguments).outcome()
      #expect(outcome.status == test.status, "\(outcome)")
      var rest = outcome.errors[...]
      for line in test.lines.map(put) {
        guard let found = rest.firstRange(of: line) else {
          Issue.record("no \"\(line)\" behind what came before it: \(outcome)")
          continue
        }
        rest = rest[found.upperBound...]
      }
      #expect(!outcome.errors.contains("hidden"), "\(outcome)")
      try await origin.stop()
      try await other.stop()
    }

    @Test(arguments: [
      Case(
        path: "/redirect/302?to=/redirect/307%3Fto=/json",
        lines: [
          "redirected by 302 to GET ORIGIN/redirect/307?to=/json", "redirected by 307 to GET ORIGIN/json",
          "◂ Redirects 200 OK",
        ]
      ),
      Case(
        path: "/redirect/303?to=/echo",
        options: ["--json", "{}"],
        lines: ["redirected by 303 to GET ORIGIN/echo, without the content"]
      ),
      Case(
        path: "/redirect/302?to=OTHER/json",
        options: ["-H", "Authorization: hidden", "-H", "X-Api-Key: hidden"],
        lines: ["redirected by 302 to another origin: GET OTHER/json, without Authorization, X-Api-Key"]
      ),
      Case(
        path: "/redirect/302?to=/json",
        options: ["--no-follow"],
        lines: ["redirect not followed: declined by the policy", "◂ Redirects 302"]
      ),
      Case(
        path: "/redirect/302?to=",
        status: 1,
        lines: ["no redirect: the Location is empty", "◂ Redirects 302"]
      ),
      Case(path: "/status/302", status: 1, lines: ["no redirect: the Location is absent"]),
      Case(
        path: "/redirect/300?to=/json",
        status: 1,
        lines: ["no redirect: the status is not a redirect to follow"]
      ),
      Case(path: "/redirect-loop", status: 3, lines: ["✗ Redirects [redirect.tooMany]"]),
      Case(
        path: "/redirect-chain/3",
        options: ["--max-redirects", "1"],
        status: 3,
        lines: ["redirected by 302", "limit exceeded", "✗ Redirects [redirect.tooMany]"]
      ),
      Case(
        path: "/redirect/302?to=ftp://h/",
        status: 3,
        lines: ["✗ Redirects [redirect.unsupportedScheme]"]
      ),
    ])
    func tracesRedirects(test: Case) async throws { try await Self.check(test) }

    @Test(arguments: [
      Case(
        path: "/retry/1?key=a&after=0",
        lines: ["retry in ", "after status 503", "◂ Retry 200 OK"]
      ),
      Case(
        path: "/retry/3?key=a&after=0",
        options: ["--retry", "1"],
        status: 1,
        lines: ["retry in ", "no retry after status 503: all 2 attempts were used"]
      ),
      Case(
        path: "/retry/1?key=a&after=0",
        options: ["-X", "POST"],
        status: 1,
        lines: ["no retry after status 503: POST is not idempotent and may have been processed"]
      ),
      Case(
        path: "/retry/1?key=a&after=86400",
        status: 1,
        lines: ["no retry after status 503: the server asks to wait for ", " (limit "]
      ),
      Case(
        path: "/retry/1?key=a&after=20",
        options: ["--timeout", "5"],
        status: 1,
        lines: ["total timeout: 5", "no retry after status 503: ", " of the total timeout are left"]
      ),
      Case(
        path: "/close",
        options: ["--retry", "1"],
        status: 3,
        lines: [
          "retry in ", "after connectionReset", "no retry after connectionReset: all 2 attempts were used",
          "✗ Retry",
        ]
      ),
    ])
    func tracesRetries(test: Case) async throws { try await Self.check(test) }

    @Test(arguments: [
      Case(
        path: "/basic-auth/ada/%68idden",
        options: ["--user", "ada:hidden"],
        lines: ["authentication: sent preemptively: Basic", "◂ Authentication 200 OK"]
      ),
      Case(
        path: "/basic-auth/ada/other",
        options: ["--user", "ada:hidden"],
        status: 1,
        lines: [
          "authentication: sent preemptively: Basic", "authentication: Basic: credentials refused",
          "authentication: Basic: not sent, the credential was refused before",
          "authentication: challenge not answered: the credentials were refused",
        ]
      ),
      Case(
        path: "/digest-auth/ada/%68idden",
        options: ["--user", "ada:hidden"],
        lines: ["authentication: challenged: Digest", "authentication: answered: Digest"]
      ),
      Case(
        path: "/basic-auth/ada/%68idden",
        options: ["--user", "ada:hidden", "--digest"],
        status: 1,
        lines: ["authentication: challenge not answered: none of its schemes is supported"]
      ),
      Case(
        path: "/basic-auth/ada/%68idden",
        status: 1,
        lines: [
          "authentication: challenged: Basic",
          "authentication: challenge not answered: no credential is available",
        ]
      ),
      Case(
        path: "/basic-auth/ada/%68idden",
        options: ["-H", "Authorization: hidden"],
        status: 1,
        lines: [
          "authentication: challenge not answered: the explicit credentials of the request were refused"
        ]
      ),
      Case(
        path: "/status/401",
        status: 1,
        lines: ["authentication: challenge not answered: it contains no challenge"]
      ),
      Case(
        path: "/bearer/%68idden",
        options: ["--bearer", "hidden"],
        lines: ["authentication: sent preemptively: Bearer"]
      ),
      Case(
        path: "/redirect/302?to=OTHER/basic-auth/ada/x",
        options: ["--user", "ada:hidden"],
        status: 1,
        lines: [
          "another origin",
          "authentication: credential of the request: not sent, the credential is for another origin",
        ]
      ),
    ])
    func tracesAuthentication(test: Case) async throws { try await Self.check(test) }

    @Test func tracesCookies() async throws {
      let folder = try ScratchFolder()
      let jar = ["--cookie-jar", folder.path("jar.json").path]
      for test in [
        Case(
          path: "/cookies/set?a=%68idden&b=%68idden",
          options: jar,
          lines: ["cookies: a stored for 127.0.0.1", "cookies: b stored"]
        ),
        Case(path: "/cookies/delete?a", options: jar, lines: ["cookies: a removed for 127.0.0.1"]),
        Case(
          path: "/headers?Set-Cookie=__Secure-a%3D%68idden",
          options: jar,
          lines: ["cookies: __Secure-a rejected: "]
        ),
        Case(
          path: "/redirect/302?to=/cookies/set%3Fc=1",
          options: jar,
          lines: ["redirected by 302", "cookies: c stored"]
        ),
      ] {
        try await Self.check(test)
      }
    }

    /// Validation, limits, and what stands beside the standard chain.
    @Test(arguments: [
      Case(path: "/json", lines: ["acceptable", "◂ Validation 200 OK"]),
      Case(path: "/status/404", status: 1, lines: ["refused: status", "✗ Validation [status]"]),
      Case(
        path: "/mismatch/type",
        options: ["--as", "plist"],
        status: 1,
        lines: ["refused: mediaType", "✗ Validation [mediaType]"]
      ),
      Case(
        path: "/bytes/100",
        options: ["--as", "data", "--limit", "10"],
        status: 3,
        lines: ["limit exceeded: "]
      ),
      Case(path: "/gzip", options: [], lines: ["decoding gzip", "◂ ContentDecoding 200 OK"]),
    ])
    func tracesOtherEvents(test: Case) async throws { try await Self.check(test) }
  }
#endif
