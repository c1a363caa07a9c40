import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct LocationFieldTests {
  /// What a Location does.
  enum Result: Sendable, Equatable {
    case leads(String)
    case ignored(RedirectEvent.Omission)
    case fails(RedirectFailure)
  }

  private static let base = "http://a.example:81/d/e?f"

  /// A row of table 1.3 of the reference: the octets of each Location field, and what happens.
  struct Row: Sendable {
    let name: String
    let fields: [[UInt8]]
    let result: Result

    init(_ name: String, _ fields: [String], _ result: Result) {
      self.name = name
      self.fields = fields.map { Array($0.utf8) }
      self.result = result
    }

    init(_ name: String, octets: [UInt8], _ result: Result) {
      self.name = name
      fields = [octets]
      self.result = result
    }
  }

  private static let rows: [Row] = [
    Row("1.3 #1", [], .ignored(.missingLocation)),
    Row("1.3 #2", [""], .ignored(.emptyLocation)),
    Row("1.3 #2", [" \t "], .ignored(.emptyLocation)),
    Row("1.3 #3", ["foo"], .leads("http://a.example:81/d/foo")),
    Row("1.3 #3", ["?q"], .leads("http://a.example:81/d/e?q")),
    Row("1.3 #3", ["//host/p"], .leads("http://host/p")),
    Row("1.3 #3", ["../../t"], .leads("http://a.example:81/t")),
    Row("1.3 #3", ["/a/./b/../c"], .leads("http://a.example:81/a/c")),
    Row("1.3 #4", ["/t", "/t"], .leads("http://a.example:81/t")),
    Row("1.3 #4", ["/t", " /t\t", "/t"], .leads("http://a.example:81/t")),
    Row("1.3 #5", ["/t", "/u"], .fails(.ambiguousLocation)),
    Row("1.3 #5", ["/t", ""], .fails(.ambiguousLocation)),
    Row("1.3 #5", ["/t", "/T"], .fails(.ambiguousLocation)),
    Row("1.3 #6", ["/t, /u"], .leads("http://a.example:81/t,%20/u")),
    Row("1.3 #6", ["/t,/u"], .leads("http://a.example:81/t,/u")),
    Row("1.3 #7", [" \t/t \t"], .leads("http://a.example:81/t")),
    Row("1.3 #8", ["/a b c"], .leads("http://a.example:81/a%20b%20c")),
    Row("1.3 #9", ["/a\tb"], .fails(.invalidLocation)),
    Row("1.3 #9", ["/\t/evil.example"], .fails(.invalidLocation)),
    Row("1.3 #9", ["http://ho\tst/"], .fails(.invalidLocation)),
    Row("1.3 #10", ["/\u{E9}?\u{4E2D}"], .leads("http://a.example:81/%C3%A9?%E4%B8%AD")),
    Row("1.3 #12", ["/a\\b"], .leads("http://a.example:81/a%5Cb")),
    Row("1.3 #12", ["\\p"], .leads("http://a.example:81/d/%5Cp")),
    Row("1.3 #12", ["/a\\..\\..\\b"], .leads("http://a.example:81/a%5C..%5C..%5Cb")),
    Row("1.3 #13", ["\\\\host\\p"], .fails(.invalidLocation)),
    Row("1.3 #13", ["/\\host"], .fails(.invalidLocation)),
    Row("1.3 #13", ["\\/host"], .fails(.invalidLocation)),
    Row("1.3 #13", ["http:\\\\host\\p"], .fails(.invalidLocation)),
    Row("1.3 #13", ["http://host\\@other/"], .fails(.invalidLocation)),
    Row("1.3 #13", ["http://host\\.other/"], .fails(.invalidLocation)),
    Row("1.3 #14", ["/%zz%4"], .leads("http://a.example:81/%25zz%254")),
    Row("1.3 #15", ["/%7E%2f%2F~"], .leads("http://a.example:81/%7E%2f%2F~")),
    Row("1.3 #16", ["http:t"], .fails(.invalidLocation)),
    Row("1.3 #16", ["http:/t"], .fails(.invalidLocation)),
    Row("1.3 #16", ["https:t"], .fails(.invalidLocation)),
    Row("1.3 #17", ["http:///t"], .fails(.invalidLocation)),
    Row("1.3 #17", ["///t"], .fails(.invalidLocation)),
    Row("1.3 #18", ["host.example/p"], .leads("http://a.example:81/d/host.example/p")),
    Row("1.3 #19", ["http://user:password@host/p"], .leads("http://host/p")),
    Row("1.3 #19", ["//@host/p"], .leads("http://host/p")),
    Row("1.3 #20", ["http://host:0/"], .fails(.invalidLocation)),
    Row("1.3 #20", ["http://host:65536/"], .fails(.invalidLocation)),
    Row("1.3 #20", ["http://host:abc/"], .fails(.invalidLocation)),
    Row("1.3 #20", ["http://host:/p"], .leads("http://host/p")),
    Row("1.3 #21", ["http://b\u{FC}cher.example/"], .fails(.invalidLocation)),
    Row("1.3 #21", ["http://xn--bcher-kva.example/"], .leads("http://xn--bcher-kva.example/")),
    Row("1.3 #22", ["ftp://host/"], .fails(.unsupportedScheme)),
    Row("1.3 #22", ["file:///etc/passwd"], .fails(.unsupportedScheme)),
    Row("1.3 #22", ["javascript:alert(1)"], .fails(.unsupportedScheme)),
    Row("1.3 #23", ["/" + String(repeating: "a", count: 8192)], .fails(.locationTooLong)),
    Row(
      "1.3 #23",
      ["/" + String(repeating: "a", count: 8191)],
      .leads("http://a.example:81/" + String(repeating: "a", count: 8191))
    ),
    Row("1.3 #23", ["/" + String(repeating: "\u{E9}", count: 4000)], .fails(.locationTooLong)),
    Row("1.3 #11", octets: [UInt8]("/".utf8) + [0xE9], .leads("http://a.example:81/%E9")),
    Row("1.3 #11", octets: [UInt8]("/?".utf8) + [0xFF, 0x80], .leads("http://a.example:81/?%FF%80")),
    Row("1.3 #11", octets: [UInt8]("http://h".utf8) + [0xE9], .fails(.invalidLocation)),
    // A field cannot hold them, so they never get here.
    Row("1.3 #24", octets: [UInt8]("/t\r\nX: y\0".utf8), .leads("http://a.example:81/t%20%20X:%20y")),
  ]

  @Test(arguments: rows.indices)
  func resolvesOrRefusesEachRowOfTheTable(index: Int) async throws {
    let row = Self.rows[index]
    let place = Comment(rawValue: "\(row.name): \(row.fields.map { String(decoding: $0, as: UTF8.self) })")
    var response = Response(.found)
    for octets in row.fields {
      response.head.headerFields.append(HTTPField(name: .location, lenientValue: octets))
    }
    let outcome = try await RedirectOutcome(.get(Self.base), [Self.base: response])
    switch row.result {
    case .leads(let url):
      #expect(outcome.urls == [Self.base, url], place)
      #expect(outcome.response?.status == .ok, place)
      #expect(outcome.response?.history.count == 1, place)
    case .ignored(let reason):
      #expect(outcome.response?.status == .found, place)
      #expect(outcome.recorder.redirects == [.ignored(reason)], place)
    case .fails(let failure):
      let error = try #require(outcome.error, place)
      #expect(error.kind == .redirect(failure), place)
      #expect(error.stage == "Redirects", place)
      #expect(error.response?.status == .found, place)
      #expect((error.underlying as? RedirectChain)?.hops.count == 1, place)
      #expect(error.description.contains("GET http://a.example:81/d/e?f (302)"), place)
      #expect(outcome.urls.count == 1, place)
    }
  }

  @Test func userInformationInALocationIsRemovedAndReported() async throws {
    let location = "http://user:passw0rd@b.example/p"
    let outcome = try await RedirectOutcome(.get(Self.base), [Self.base: redirect(location)])
    #expect(outcome.transport.requests.last?.fields.isEmpty == true)
    guard case .followed(let step) = outcome.recorder.redirects.first else {
      Issue.record("no event")
      return
    }
    #expect(step.droppedUserInformation)
    #expect(step.description.hasSuffix("without the user information of its Location"))
    #expect(!outcome.recorder.words.joined().contains("passw0rd"))
    #expect(outcome.response?.history.first?.response.headerFields[.location]?.contains("passw0rd") == false)

    var rules = RedirectRules()
    rules.refusesUserInformation = true
    let refused = try await RedirectOutcome(
      .get(Self.base),
      Redirects(rules: rules),
      [Self.base: redirect(location)]
    )
    #expect(refused.error?.kind == .redirect(.userInformation))
    #expect(refused.error?.description.contains("passw0rd") == false)
  }

  /// The examples of RFC 9110 10.2.2, and RFC 3986 5.4 through a field.
  @Test(arguments: [
    ("/People.html#tim", "http://www.example.org/~tim", "http://www.example.org/People.html", "tim"),
    (
      "http://www.example.net/index.html", "http://www.example.org/~tim#section",
      "http://www.example.net/index.html", "section"
    ),
    ("/new#", "http://a.example/#old", "http://a.example/new", ""),
    ("?x#new", "http://a.example/p#old", "http://a.example/p?x", "new"),
    ("g;x=1/../y", "http://a/b/c/d;p?q", "http://a/b/c/y", nil),
    ("../../../g", "http://a/b/c/d;p?q", "http://a/g", nil),
  ])
  func aFragmentIsInheritedOrReplaced(location: String, from start: String, to url: String, fragment: String?)
    async throws
  {
    let outcome = try await RedirectOutcome(
      .get(start),
      over: HandlerTransport { $0.hop == 0 ? redirect(location) : Response(.ok) }
    )
    #expect(outcome.urls.last == url)
    #expect(outcome.response?.request?.fragment == fragment)
  }

  @Test func aFragmentIsHandedOnThroughTheWholeChain() async throws {
    let start = "http://a.example/1#here"
    let outcome = try await RedirectOutcome(
      .get(start),
      [
        "http://a.example/1": redirect("2"), "http://a.example/2": redirect("http://b.example/3"),
        "http://b.example/3": redirect("4#there"), "http://b.example/4": redirect("5"),
      ]
    )
    #expect(outcome.transport.requests.map(\.fragment) == ["here", "here", "here", "there", "there"])
    #expect(outcome.urls.last == "http://b.example/5")
  }

  @Test func aTargetIsFoundForACreatedResourceToo() throws {
    let base = try TargetURI(parsing: "https://shop.example/orders#list")
    #expect(try base.location(in: [.location: "orders/7"])?.description == "https://shop.example/orders/7")
    #expect(try base.location(in: [:]) == nil)
    #expect(try base.location(in: [.location: " "]) == nil)
    #expect(try base.location(in: [.location: "//u@h/"])?.description == "https://h/")
    let reasons: [(HTTPFields, URIError.Reason)] = [
      ([.location: "a", .location: "b"], .ambiguous),
      ([.location: String(repeating: "a", count: 9000)], .tooLong),
    ]
    for (fields, reason) in reasons {
      let error = #expect(throws: URIError.self) { try base.location(in: fields) }
      #expect(error?.reason == reason)
    }
    let error = #expect(throws: URIError.self) {
      try base.location(in: [.location: "//u@h/"], userInformation: .refuse)
    }
    #expect(error?.reason == .userInformation)
  }
}
