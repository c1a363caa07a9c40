#if Tool
  import Stagecoach
  import StagecoachOrigin
  import StagecoachXML

  /// An entry of an Atom feed (RFC 4287).
  struct Entry: Sendable {
    var title: String
    var updated: String
    var author: String
    var link: String

    private static let namespaces = [
      "atom": "http://www.w3.org/2005/Atom", "dc": "http://purl.org/dc/elements/1.1/",
    ]

    /// The entries of a feed, newest first.
    static func all(of feed: XML.Document) throws -> [Entry] {
      try feed.xpath("/atom:feed/atom:entry", namespaces: namespaces).nodes
        .map(Entry.init)
        .sorted { $0.updated > $1.updated }
    }

    private init(_ node: XML.Node) throws {
      func text(_ path: String) throws -> String {
        try node.xpath(path, namespaces: Self.namespaces).string
      }
      title = try text("atom:title")
      updated = try text("atom:updated")
      author = try text("dc:creator")
      link = try text("atom:link[@rel='alternate']/@href")
    }
  }

  /// Reads an Atom feed: `swift run FeedReader [BASE-URL]`. Without a URL it starts the origin itself.
  @main
  enum FeedReader {
    static func main() async throws {
      let origin = CommandLine.arguments.count > 1 ? nil : try await Origin.start()
      let client = try Client(base: origin?.url ?? CommandLine.arguments[1])
      // A serializer of one's own, made of another: the typed call gives entries and not a document.
      let entries = try await client.get("feed.xml", as: .xmlDocument.map(Entry.all))
      for entry in entries {
        print("\(entry.updated)  \(entry.title), by \(entry.author)  \(entry.link)")
      }
      await client.shutdown()
      try await origin?.stop()
    }
  }
#else
  @main
  enum FeedReader {
    static func main() {
      print("This example needs the package trait Tool, for its origin.")
    }
  }
#endif
