#if AsyncHTTPClient
  import HTTPTypes
  @testable import StagecoachCore

  extension Fault {
    /// Method and target.
    static let requestLine: [Fault] = [
      .request("methods are sent in upper case", noticedBy: ["002": "it starts with \"GET / HTTP/1.1\""]) {
        $0.method = HTTPRequest.Method(rawValue: $0.method.rawValue.uppercased())!
      },
      .request("PATCH is sent as POST", noticedBy: ["001": "it starts with \"POST / HTTP/1.1\""]) {
        if $0.method == .patch { $0.method = .post }
      },
      .request(
        "HEAD is sent as GET",
        noticedBy: ["001": "did not end", "068": "did not end"],
        within: .seconds(2)
      ) {
        if $0.method == .head { $0.method = .get }
      },
      .target("percent-encoding of a slash is undone", noticedBy: ["003": "\"GET /a/b HTTP/1.1\""]) {
        $0.replacing("%2f", with: "/")
      },
      .target("percent-encoding is written in upper case", noticedBy: ["003": "\"GET /a%2Fb HTTP/1.1\""]) {
        $0.replacing("%2f", with: "%2F")
      },
      .target("what needs no encoding is decoded", noticedBy: ["003": "\"GET /A HTTP/1.1\""]) {
        $0.replacing("%41", with: "A").replacing("%7E", with: "~")
      },
      .target(
        "a path with an escape that is not UTF-8 becomes a slash",
        noticedBy: [
          "003": "\"GET / HTTP/1.1\"", "003d": "what arrived is \"DELETE / HTTP/1.1",
          "003e": "the target is /,",
        ]
      ) {
        $0.lowercased().contains("%e9") ? "/" : $0
      },
      .target("dot segments are removed", noticedBy: ["003": "\"GET /b HTTP/1.1\""]) {
        $0.replacing("/./a/../", with: "/")
      },
      .target("two slashes become one", noticedBy: ["003": "\"GET /x HTTP/1.1\""]) {
        $0.replacing("//", with: "/")
      },
      .target("sub-delimiters are encoded", noticedBy: ["003": "%3Bb=c%2Cd"]) {
        $0.replacing(";", with: "%3B").replacing(",", with: "%2C")
      },
      .target("brackets in a query are encoded", noticedBy: ["003b": "b%5B%5D=1"]) {
        $0.replacing("[", with: "%5B").replacing("]", with: "%5D")
      },
      .target("the query is not sent", noticedBy: ["004": "\"GET / HTTP/1.1\"", "006": "\"GET / HTTP/1.1\""])
      {
        String($0.prefix { $0 != "?" })
      },
      .target("an empty query is not sent", noticedBy: ["004": "\"GET / HTTP/1.1\""]) {
        $0.hasSuffix("?") ? String($0.dropLast()) : $0
      },
      .target("a plus in a query becomes a blank", noticedBy: ["004": "a%20b%20c"]) {
        $0.replacing("+", with: "%20")
      },
      .target("of a key that a query repeats the last value is sent", noticedBy: ["004": "/?a=2&b"]) {
        $0.replacing("a=1&a=2", with: "a=2")
      },
      .target("the pairs of a query are sorted", noticedBy: ["003b": "/a?c[d]=2&b[]=1"]) { target in
        let parts = target.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return target }
        return "\(parts[0])?\(parts[1].split(separator: "&").sorted(by: >).joined(separator: "&"))"
      },
      .request("the fragment is sent", noticedBy: ["005": "/a?b#secret"]) { request in
        if let fragment = request.fragment { request.head.path?.append("#\(fragment)") }
      },
      .target("the asterisk form gets a slash", noticedBy: ["007": "\"OPTIONS / HTTP/1.1\""]) {
        $0 == "*" ? "/" : $0
      },
      .request("a slash is appended to paths", noticedBy: ["003": "/a%2fb/ HTTP/1.1"]) { request in
        guard let path = request.head.path, !path.contains("?"), !path.hasSuffix("/") else { return }
        request.head.path = "\(path)/"
      },
    ]

    private static func target(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable (String) -> String
    ) -> Fault {
      request(name, noticedBy: checks) { $0.head.path = $0.head.path.map(change) }
    }
  }
#endif
