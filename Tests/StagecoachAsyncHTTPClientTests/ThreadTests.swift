#if Tool
  import Dispatch
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import StagecoachConformance
  import StagecoachOrigin
  import StagecoachXML
  import Synchronization
  import Testing

  /// A call from the main actor neither sends nor decodes on the main thread, and no decoding runs on an event loop.
  @Suite struct ThreadTests {
    // MARK: Where code runs

    enum Place {
      case main, eventLoop, other

      /// Marks the main queue, which runs the main actor; on Linux no thread is its own.
      private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
      }()

      static var here: Place {
        if DispatchQueue.getSpecific(key: mark) == true { return .main }
        // SwiftNIO names its threads.
        return Thread.current.name?.hasPrefix("NIO-") == true ? .eventLoop : .other
      }
    }

    /// Notes where things happen; as a monitor, where events are told.
    final class Notes: EventMonitor {
      private let notes = Mutex<[(what: String, place: Place)]>([])

      func note(_ what: String) {
        let place = Place.here
        notes.withLock { $0.append((what, place)) }
      }

      func receive(_ event: Event) { note("event \(event.kind)") }

      func all(at place: Place) -> [String] {
        notes.withLock { $0.filter { $0.place == place }.map(\.what) }
      }
    }

    /// Notes where a body is read: who reads it decodes it.
    private struct NotesReading: Middleware {
      let notes: Notes

      func handle(_ request: Request, next: Next) async throws -> Response {
        notes.note("stage")
        var response = try await next(request)
        notes.note("stage after next")
        response.body = Response.Body(transforming: Source(response.body, notes))
        return response
      }

      private final class Source: BodySource {
        private let body: Response.Body
        private let iterator: Mutex<Response.Body.AsyncIterator>
        private let notes: Notes

        init(_ body: Response.Body, _ notes: Notes) {
          self.body = body
          self.notes = notes
          iterator = Mutex(body.makeAsyncIterator())
        }

        func next() async throws -> Bytes? {
          var iterator = iterator.withLock { $0 }
          notes.note("reading")
          let chunk = try await iterator.next()
          notes.note("decoding")
          return chunk
        }

        func cancel() { body.cancel() }
      }
    }

    // MARK: What is read

    /// A serializer that reads while the body comes, and a body that comes in two pieces.
    struct Streaming: Sendable, CustomTestStringConvertible {
      let name: String
      let type: String
      let pieces: [String]
      /// Reads all on the main actor, and returns how much it was.
      let read: @MainActor @Sendable (Client, Notes) async throws -> Int
      var testDescription: String { name }

      var script: Script {
        var head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n"
        head += "Content-Length: \(pieces.joined().utf8.count)\r\n\r\n"
        let (first, second) = (head + pieces[0], pieces[1])
        return { wire in
          try wire.readHead()
          try wire.send(first)
          // The reader waits for the second one.
          wire.pause(.milliseconds(20))
          try wire.send(second)
          try wire.hold()
        }
      }
    }

    private struct Handler: XML.EventHandler, Sendable {
      let notes: Notes
      var count = 0

      mutating func startElement(_ tag: borrowing XML.RawStartTag) throws {
        notes.note("element")
        count += 1
      }
    }

    private struct Line: Decodable, Sendable {
      /// No value of the decoder's, which reaches each of them.
      @TaskLocal static var notes: Notes?

      init(from decoder: any Decoder) throws { Self.notes?.note("line") }
    }

    private static let list = ["<l><i>1</i><i>2</i>", "<i>3</i></l>"]

    static let streaming: [Streaming] = [
      Streaming(name: "XML events to a handler", type: "text/xml", pieces: list) { client, notes in
        try await client.get("", as: .xml(handledBy: Handler(notes: notes))).count - 1
      },
      Streaming(name: "XML events", type: "text/xml", pieces: list) { client, _ in
        var count = 0
        for try await event in try await client.get("", as: .xmlEvents) {
          if case .startElement = event { count += 1 }
        }
        return count - 1
      },
      Streaming(name: "XML records", type: "text/xml", pieces: list) { client, notes in
        let serializer = XMLRecordsResponseSerializer("l/i") { _ in notes.note("record") }
        var count = 0
        for try await _ in try await client.get("", as: serializer) { count += 1 }
        return count
      },
      Streaming(
        name: "server-sent events",
        type: "text/event-stream",
        pieces: ["data: 1\n\ndata: 2\n", "\ndata: 3\n\n"]
      ) { client, _ in
        var count = 0
        for try await _ in try await client.get("", as: .serverSentEvents) { count += 1 }
        return count
      },
      Streaming(name: "JSON lines", type: "application/x-ndjson", pieces: ["1\n2\n", "3\n"]) {
        client,
        notes in
        try await Line.$notes.withValue(notes) {
          var count = 0
          for try await _ in try await client.get("", as: .jsonLines(Line.self)) { count += 1 }
          return count
        }
      },
      Streaming(name: "a download to a file", type: "text/plain", pieces: ["1", "23"]) { client, _ in
        let path = FileManager.default.temporaryDirectory.appending(path: "threads-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        return Int(try await client.get("", as: .file(path)).size)
      },
    ]

    @MainActor @Test(arguments: streaming)
    func streamingLeavesTheMainThread(_ streaming: Streaming) async throws {
      #expect(Place.here == .main)
      let notes = Notes()
      let peer = try WireServer(serve: streaming.script)
      defer { peer.stop() }
      let pipeline = Pipeline(over: AsyncHTTPClientTransport()) { NotesReading(notes: notes) }
      let client = try Client(pipeline, base: peer.url, configuration: .init(monitors: [notes]))
      #expect(try await streaming.read(client, notes) == 3)
      #expect(Place.here == .main)
      #expect(notes.all(at: .main) == [])
      // The engine's own events show that an event loop is known when it is seen.
      let onLoops = notes.all(at: .eventLoop)
      #expect(!onLoops.isEmpty && onLoops.allSatisfy { $0.hasPrefix("event ") }, "\(onLoops)")
      #expect(notes.all(at: .other).contains("decoding"))
      await client.pipeline.shutdown()
    }

    private struct Collecting: ResponseSerializer {
      let notes: Notes
      let accepts = Acceptance.any

      func serialize(_ response: Response) async throws -> Int {
        let bytes = try await response.collectBody()
        notes.note("decoding")
        return bytes.count
      }
    }

    @MainActor @Test func collectingLeavesTheMainThread() async throws {
      #expect(Place.here == .main)
      let notes = Notes()
      try await withOrigin(monitors: [notes]) { _, client in
        for _ in 0..<20 {
          let count = try await client.get("json", as: Collecting(notes: notes))
          #expect(count > 0)
        }
      }
      #expect(notes.all(at: .main) == [])
      #expect(notes.all(at: .other).count { $0 == "decoding" } == 20)
    }
  }
#endif
