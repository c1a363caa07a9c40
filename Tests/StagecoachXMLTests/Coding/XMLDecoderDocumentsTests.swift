import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Documents as they are found.
@Suite struct XMLDecoderDocumentsTests {
  @Test func decodesAnAtomFeed() throws {
    struct Feed: Decodable {
      var id: String, title: String, updated: Date, link: [Link], entry: [Entry]
    }
    struct Link: Decodable { var href: String, rel: String? }
    struct Text: Decodable {
      @XMLAttribute var type: String?
      @XMLText var value: String
    }
    struct Entry: Decodable {
      var id: String, title: Text, authors: [String], link: String, content: XML.Element?,
        category: [Category]
      enum CodingKeys: String, CodingKey {
        case id, title, authors = "author/name", link = "link/@href", content, category
      }
    }
    struct Category: Decodable { var term: String }
    let feed = try decode(
      Feed.self,
      """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
        <title>Coaches</title>
        <link href="http://h/"/><link rel="self" href="http://h/feed"/>
        <updated>2026-02-28T12:30:00.5+01:00</updated>
        <id>urn:uuid:1</id>
        <entry>
          <title type="html">A &lt;b&gt;</title><link href="http://h/1"/><id>urn:1</id>
          <author><name>Ann</name><name>Ben</name></author>
          <category term="x"/><category term="y" scheme="z"/>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Hi <em>you</em></div></content>
        </entry>
        <entry><id>urn:2</id><title>B</title><link href="http://h/2"/></entry>
      </feed>
      """
    )
    #expect(feed.title == "Coaches" && feed.updated == Date(timeIntervalSince1970: 1_772_278_200.5))
    #expect(feed.link.map(\.rel) == [nil, "self"])
    #expect(feed.entry[0].title.type == "html" && feed.entry[0].title.value == "A <b>")
    #expect(feed.entry[0].authors == ["Ann", "Ben"] && feed.entry[1].authors == [])
    #expect(feed.entry[0].category.map(\.term) == ["x", "y"])
    #expect(feed.entry[0].content?.children.count == 1 && feed.entry[1].content == nil)
    #expect(feed.entry.map(\.link) == ["http://h/1", "http://h/2"])
  }

  @Test func decodesAnRSSFeed() throws {
    struct RSS: Decodable {
      var version: String, title: String, item: [Item]
      enum CodingKeys: String, CodingKey { case version, title = "channel/title", item = "channel/item" }
    }
    struct Item: Decodable {
      var title: String, pubDate: Date, guid: GUID, creator: String?, enclosure: Enclosure?, encoded: String?
      enum CodingKeys: String, CodingKey {
        case title, pubDate, guid, creator = "dc:creator", enclosure, encoded = "content:encoded"
      }
    }
    struct GUID: Decodable {
      var isPermaLink: Bool?, value: String
      enum CodingKeys: String, CodingKey { case isPermaLink, value = "text()" }
    }
    struct Enclosure: Decodable { var url: URL, length: Int, type: String }
    let rss = try decode(
      RSS.self,
      """
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="urn:content">
      <channel><title>News</title><link>http://h/</link>
      <item><title>One</title><dc:title>Other</dc:title><pubDate>Sat, 28 Feb 2026 12:30:00 GMT</pubDate>
      <guid isPermaLink="false">1</guid><dc:creator>Ann</dc:creator>
      <enclosure url="http://h/a.mp3" length="12" type="audio/mpeg"/>
      <content:encoded><![CDATA[<p>x</p>]]></content:encoded></item>
      <item><title>Two</title><pubDate>28 Feb 2026 13:30 +0100</pubDate><guid>2</guid></item>
      </channel></rss>
      """
    ) { $0.dateStyle = .internetMessage }
    #expect(rss.version == "2.0" && rss.title == "News" && rss.item.map(\.title) == ["One", "Two"])
    #expect(rss.item[0].pubDate == rss.item[1].pubDate)
    #expect(rss.item[0].guid.isPermaLink == false && rss.item[0].guid.value == "1")
    #expect(rss.item[0].creator == "Ann" && rss.item[0].enclosure?.length == 12)
    #expect(rss.item[0].encoded == "<p>x</p>" && rss.item[1].enclosure == nil)
  }

  @Test func decodesASitemap() throws {
    struct URLSet: Codable, Equatable { var url: [Page] }
    struct Page: Codable, Equatable { var loc: URL, lastmod: Date?, priority: Double? }
    let text = """
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc> http://h/ </loc><lastmod>2026-02-28</lastmod><priority>0.8</priority></url>
        <url><loc>http://h/a?b&amp;c</loc></url>
      </urlset>
      """
    let set = try decode(URLSet.self, text)
    #expect(set.url.map(\.loc.absoluteString) == ["http://h/", "http://h/a?b&c"])
    #expect(set.url[0].priority == 0.8 && set.url[1].lastmod == nil)
    var encoder = XMLEncoder()
    encoder.dateStyle = .day
    encoder.namespaces = ["": "http://www.sitemaps.org/schemas/sitemap/0.9"]
    let element = try encoder.element(for: set, root: "urlset")
    #expect(try XMLDecoder(reading: encoder).decode(from: element) == set)
  }

  @Test func decodesAStorageListing() throws {
    struct ListBucketResult: Decodable {
      var name: String, isTruncated: Bool, contents: [Object], commonPrefixes: [String]
      enum CodingKeys: String, CodingKey {
        case name, isTruncated, contents, commonPrefixes = "commonPrefixes/prefix"
      }
    }
    struct Object: Decodable {
      var key: String, lastModified: Date, size: Int64, eTag: String, storageClass: Class
    }
    enum Class: String, Decodable { case standard = "STANDARD", glacier = "GLACIER" }
    let listing = try decode(
      ListBucketResult.self,
      """
      <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>
      <IsTruncated>false</IsTruncated>
      <Contents><Key>a b</Key><LastModified>2026-02-28T12:30:00.000Z</LastModified><ETag>"1"</ETag>
      <Size>5368709120</Size><StorageClass>STANDARD</StorageClass></Contents>
      <Contents><Key/><LastModified>2026-02-28T12:30:00.000Z</LastModified><ETag>"2"</ETag>
      <Size>0</Size><StorageClass>GLACIER</StorageClass></Contents>
      <CommonPrefixes><Prefix>p/</Prefix></CommonPrefixes></ListBucketResult>
      """
    ) { $0.keyCase = .capitalized }
    #expect(listing.name == "b" && !listing.isTruncated && listing.commonPrefixes == ["p/"])
    #expect(listing.contents.map(\.key) == ["a b", ""] && listing.contents[0].size == 5_368_709_120)
    #expect(listing.contents[1].storageClass == .glacier && listing.contents[0].eTag == "\"1\"")
  }

  @Test func decodesASOAPEnvelope() throws {
    enum Body: Decodable {
      case response(Response), fault(Fault)
      enum CodingKeys: String, CodingKey { case response = "{urn:stock}GetPriceResponse", fault = "Fault" }
    }
    struct Response: Decodable {
      var price: Decimal
      enum CodingKeys: String, CodingKey { case price = "Price" }
    }
    // The children of a fault are in no namespace (SOAP 1.1, section 4.4).
    struct Fault: Decodable {
      var faultcode: String, faultstring: String, detail: XML.Element?
      enum CodingKeys: String, CodingKey {
        case faultcode = "{}faultcode", faultstring = "{}faultstring", detail = "{}detail"
      }
    }
    struct Envelope: Decodable {
      var header: XML.Element?, body: Body
      enum CodingKeys: String, CodingKey { case header = "Header", body = "Body" }
    }
    func envelope(_ body: String) -> String {
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\(body)</s:Body></s:Envelope>
      """
    }
    let answer = try decode(
      Envelope.self,
      envelope("<m:GetPriceResponse xmlns:m='urn:stock'><m:Price>34.5</m:Price></m:GetPriceResponse>")
    )
    guard case .response(let response) = answer.body else {
      Issue.record("no response")
      return
    }
    #expect(response.price == Decimal(345) / 10 && answer.header == nil)
    let failure = try decode(
      Envelope.self,
      envelope("<s:Fault><faultcode>s:Server</faultcode><faultstring>down</faultstring></s:Fault>")
    )
    guard case .fault(let fault) = failure.body else {
      Issue.record("no fault")
      return
    }
    #expect(fault.faultcode == "s:Server" && fault.faultstring == "down")
  }

  @Test func decodesAPropertyList() throws {
    indirect enum Value: Codable, Equatable {
      case string(String), integer(Int), real(Double), `true`, `false`, data(Data), date(Date)
      case array(List), dict(Dict)
    }
    struct List: Codable, Equatable {
      var values: [Value]
      enum CodingKeys: String, CodingKey { case values = "*" }
    }
    enum Member: Codable, Equatable {
      case key(String), string(String), integer(Int), `true`, array(List), dict(Dict)
    }
    struct Dict: Codable, Equatable {
      var members: [Member]
      enum CodingKeys: String, CodingKey { case members = "*" }
    }
    let list = try decode(
      List.self,
      """
      <plist version="1.0"><dict><key>a</key><string>x</string><key>b</key><array><integer>1</integer><true/>
      <real>1.5</real><data>aGk=</data><date>2026-02-28T12:30:00Z</date></array></dict></plist>
      """
    )
    let array = List(
      values: [
        .integer(1), .true, .real(1.5), .data(Data("hi".utf8)),
        .date(Date(timeIntervalSince1970: 1_772_281_800)),
      ]
    )
    #expect(
      list.values == [.dict(Dict(members: [.key("a"), .string("x"), .key("b"), .array(array)]))]
    )
    let element = try XMLEncoder().element(for: list, root: "plist")
    #expect(try XMLDecoder().decode(from: element) == list)
  }

  @Test func decodesAnSVGDrawing() throws {
    struct SVG: Decodable {
      var viewBox: [Double], width: String?, shapes: [Shape]
      enum CodingKeys: String, CodingKey { case viewBox = "@viewBox", width, shapes = "*" }
    }
    enum Shape: Decodable, Equatable {
      case circle(Circle), path(Path), g(Group), use(Use)
    }
    struct Circle: Decodable, Equatable { var cx: Double, cy: Double, r: Double, fill: String? }
    struct Path: Decodable, Equatable { var d: String }
    struct Use: Decodable, Equatable {
      var href: String
      enum CodingKeys: String, CodingKey { case href = "@xlink:href" }
    }
    struct Group: Decodable, Equatable {
      var transform: String?, shapes: [Shape]
      enum CodingKeys: String, CodingKey { case transform, shapes = "*" }
    }
    let svg = try decode(
      SVG.self,
      """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 20.5">
      <circle cx="1" cy="2" r=".5" fill="red"/><g transform="scale(2)"><path d="M0 0L1 1"/><use xlink:href="#a"/></g>
      </svg>
      """
    )
    #expect(svg.viewBox == [0, 0, 10, 20.5] && svg.width == nil)
    #expect(
      svg.shapes == [
        .circle(Circle(cx: 1, cy: 2, r: 0.5, fill: "red")),
        .g(Group(transform: "scale(2)", shapes: [.path(Path(d: "M0 0L1 1")), .use(Use(href: "#a"))])),
      ]
    )
  }
}
