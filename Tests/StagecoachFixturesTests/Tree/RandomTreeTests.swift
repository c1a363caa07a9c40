import HTTPTypes
import StagecoachCore
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Whatever is read stays as it is, and a leaf that is changed is the only one that changes.
@Suite struct RandomTreeTests {
  private static let samples: [(text: String, type: String?)] = [
    (
      #"{"a": "x\n", "b": [1, {"c": null}], "j": "{\"k\": \"l\"}", "u": "https://u:p@h/x?code=1", "t": true}"#,
      "application/json"
    ),
    ("{\"a\": 1}\n{\"b\": \"x\"}\n", "application/x-ndjson"),
    ("<r a='1' b=\"x &amp; y\"><c>d</c><c>e</c><![CDATA[f]]></r>", "text/xml"),
    (
      "<!doctype html><html><ul><li>a<li>b</ul><input value=c><script>x = {y: \"z\"}</script></html>",
      "text/html"
    ),
    ("a=1&b=x+y&a=%7B%22c%22%3A%22d%22%7D&e", "application/x-www-form-urlencoded"),
    ("event: a\ndata: {\"x\": \"y\"}\n\ndata: z\n\n", "text/event-stream"),
    (
      "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b\r\n\r\n{\"c\": \"d\"}\r\n--b--\r\n",
      "multipart/form-data; boundary=b"
    ),
    ("A=b c\npassword: d # e\nhttps://u:p@h/x?y=z and Server=a;Password=p w;\n", "text/plain"),
    ("{\"v\": \"bmFtZTpwYXNzd29yZDEyMw==\", \"j\": \"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln\"}", nil),
  ]

  private func damaged(_ text: String, _ random: inout SplitMix) -> [UInt8] {
    var octets = Array(text.utf8)
    let marks = Array("\"'{}[]<>&=;:,%\\/-!?#@. \n".utf8) + [0, 13, 0x80, 0xEF, 0xFF]
    for _ in 0..<Int.random(in: 1...5, using: &random) where !octets.isEmpty {
      let place = Int.random(in: 0..<octets.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: octets[place] = marks.randomElement(using: &random) ?? 0
      case 1: octets.removeSubrange(place..<min(place + Int.random(in: 0..<20, using: &random), octets.count))
      case 2: octets.insert(contentsOf: octets[place..<min(place + 40, octets.count)], at: place)
      case 3: octets = Array(octets[..<place])
      default: octets[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      }
    }
    return octets
  }

  private func expectIntact(_ tree: TextTree) {
    var end = 0
    for leaf in tree.nodes.compactMap(\.leaf) {
      #expect(leaf.range.lowerBound >= end && leaf.range.upperBound <= tree.text.count)
      end = leaf.range.upperBound
    }
    #expect(tree.rewritten { _ in .inside } == tree.text)
    tree.forEachLeaf { place in
      if let inner = place.leaf.inner { #expect(inner.coding.encode(inner.tree.text) == place.leaf.value) }
      return true
    }
  }

  @Test(arguments: 0..<8) func damagedTextsAreRewrittenUnchanged(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    for (text, type) in Self.samples {
      for _ in 0..<40 {
        let octets = damaged(text, &random)
        for type in [type, nil] { expectIntact(TextTree(content: octets, type.flatMap { MediaType($0) })) }
        expectIntact(TextTree(target: octets))
        let field = HTTPField(name: .authorization, value: String(decoding: octets, as: UTF8.self))
        for name in [
          "Authorization", "WWW-Authenticate", "Cookie", "Set-Cookie", "Link", "Content-Type", "X",
        ] {
          guard let name = HTTPField.Name(name) else { continue }
          expectIntact(TextTree(field: HTTPField(name: name, value: field.value), number: 0))
        }
      }
    }
  }

  @Test(arguments: samples.indices) func changingOneLeafKeepsTheOthers(_ sample: Int) {
    let (text, type) = Self.samples[sample]
    let tree = TextTree(text, type)
    expectIntact(tree)
    var places: [LeafPlace] = []
    tree.forEachLeaf { place in
      places.append(place)
      return true
    }
    #expect(places.count > 1)
    for place in places where place.leaf.type == .text {
      let changed = TextTree(tree.replacing(place.path, with: "SECRET-X-1"), type)
      let outer = Set(
        sequence(first: place.outer, next: { $0?.outer }).prefix { $0 != nil }.compactMap { $0?.path }
      )
      // Without its header, a token is none.
      if place.path.hasSuffix(">header") || place.path.contains(">header>") { continue }
      let (old, new) = (tree.values, changed.values)
      #expect(new[place.path] == "SECRET-X-1")
      for (path, value) in old
      where !path.hasPrefix(place.path + ">") && path != place.path && !outer.contains(path) {
        #expect(new[path] == value, "\(place.path): \(path)")
      }
    }
  }

  /// A search that starts again for each of these parts would not end.
  @Test(arguments: [
    "{\"a\":", "[", "\"", "{} ", "<a>", "</a>", "<", "<!--", "<![CDATA[", "<a b=\"", "<script>", "&", "&=",
    "%", "a=\"", "a=\"\\",
    "a=;", "a: ", "//", "a://b", "\\u", "data:\n", "\n\n", "--b\n", ";", "machine a login ", "SECRET-",
    "x=y ", "${", "a.b.",
  ])
  func readsLongTextsInLinearTime(_ part: String) {
    let text = String(repeating: part, count: 30_000 / part.utf8.count)
    for type in [
      "application/json", "text/xml", "text/html", "application/x-www-form-urlencoded", "text/event-stream",
      "text/plain",
      "text/javascript", "multipart/form-data; boundary=b",
    ] {
      let tree = TextTree(text, type)
      #expect(tree.isComplete)
      #expect(tree.nodes.count <= text.utf8.count)
    }
    _ = TextTree(target: text)
    for name in ["Authorization", "WWW-Authenticate", "Cookie", "Link", "X"] {
      guard let name = HTTPField.Name(name) else { continue }
      _ = TextTree(field: HTTPField(name: name, value: text), number: 0)
    }
  }

  @Test func contentWithMoreValuesThanTheLimitIsNotRedacted() {
    let array = "[" + String(repeating: "1,", count: TextTree.maxNodeCount + 1)
    #expect(throws: RedactionError.tooManyValues(limit: TextTree.maxNodeCount)) {
      try Redactor().redact(RedactableMessage(response: [:], body: Bytes(array), mediaType: .json))
    }
  }

  @Test func depthIsLimited() {
    let tree = TextTree(String(repeating: "{\"a\":", count: 10_000) + "\"b\"", "application/json")
    #expect(tree.listing.count == 1)
    #expect(tree.listing[0].hasSuffix(".a = b"))
    var text = "\"x\""
    for _ in 0..<8 { text = JSONValue.string("[\(text)]").description }
    var depth = 0
    TextTree(text, "application/json").forEachLeaf { place in
      depth = max(depth, place.tree.level)
      return true
    }
    #expect(depth == 4)
  }
}
