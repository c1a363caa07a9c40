#if Tool
  import Foundation
  import Stagecoach
  import StagecoachOrigin
  import Synchronization

  /// The service of the tour: a coach company with inns, tickets and a map.
  final class TourService: Sendable {
    /// The length of the map. Half of it is sent at first.
    static let mapLength = 200_000

    private let isFaulty: Bool
    private let weatherRequests = Atomic(0)
    private let timetable: Bytes
    /// Lets the second half of the arrivals out.
    private let gate = AsyncStream<Void>.makeStream()

    /// - Parameter isFaulty: Whether each request is answered with 404.
    init(isFaulty: Bool) async throws {
      self.isFaulty = isFaulty
      let coaches = (0..<200).map { Coach(name: "Mail \($0)", hour: $0 % 24) }
      timetable = try await Self.gzip(Bytes(JSONEncoder().encode(coaches)))
    }

    /// Compresses with a stage of the library: what it sends on is what comes back.
    private static func gzip(_ content: Bytes) async throws -> Bytes {
      let mirror = HandlerTransport { request in
        Response(.ok, body: Response.Body(source: try request.body.makeSource()))
      }
      let pipeline = Pipeline(over: mirror) { RequestCompression() }
      let response = try await pipeline.send(.post("http://mirror/", body: .bytes(content)))
      return try await response.body.collect(upTo: 1 << 20)
    }

    /// Sends the second half of the arrivals.
    func sendRest() { gate.continuation.finish() }

    func answer(_ request: Request) -> Response {
      guard !isFaulty else { return Response(.notFound) }
      let fields = request.fields
      switch request.head.path {
      case "/inns/1": return ok("application/json", #"{"name": "The Bell", "beds": 4}"#)
      case "/inns/old": return Response(.movedPermanently, fields: [.location: "/inns/1"])
      case "/weather":
        let isFirst = weatherRequests.add(1, ordering: .relaxed).oldValue == 0
        return isFirst ? Response(.serviceUnavailable) : ok("text/plain", "clear")
      case "/seat":
        if let cookie = fields[.cookie] { return ok("text/plain", Bytes("you have \(cookie)")) }
        return ok("text/plain", "you have none yet", fields: [.setCookie: "seat=7"])
      case "/token": return ok("text/plain", "new")
      case "/tickets":
        let challenge = #"Bearer error="invalid_token""#
        guard fields[.authorization] == "Bearer new" else {
          return Response(.unauthorized, fields: [.wwwAuthenticate: challenge])
        }
        return ok("text/plain", "2 tickets")
      case "/fares":
        let about: HTTPFields = [.cacheControl: "max-age=60", .eTag: #""v1""#]
        guard fields[.ifNoneMatch] == nil else { return Response(.notModified, fields: about) }
        return ok("text/plain", "2 shillings", fields: about)
      case "/timetable": return ok("application/json", timetable, fields: [.contentEncoding: "gzip"])
      case "/arrivals":
        return Response(.ok, fields: [.contentType: "application/xml"], body: Response.Body(arrivals))
      case "/map": return map(range: fields[.range])
      default: return Response(.notFound)
      }
    }

    private func ok(_ type: String, _ content: Bytes, fields: HTTPFields = [:]) -> Response {
      var response = Response(.ok, fields: fields, body: .bytes(content))
      response.fields[.contentType] = type
      return response
    }

    private var arrivals: AsyncStream<Bytes> {
      let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
      continuation.yield("<day><coach><name>Comet</name><hour>9</hour></coach>")
      let sending = Task { [gate] in
        for await _ in gate.stream {}
        continuation.yield("<coach><name>Tally-Ho</name><hour>11</hour></coach></day>")
        continuation.finish()
      }
      continuation.onTermination = { _ in sending.cancel() }
      return stream
    }

    /// Half of the map and then nothing more, as in a tunnel; or the other half.
    private func map(range: String?) -> Response {
      let (half, length) = (Self.mapLength / 2, Self.mapLength)
      let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
      continuation.yield(Bytes([UInt8](repeating: 0x6d, count: half)))
      guard range == "bytes=\(half)-" else {
        return Response(.ok, fields: [.eTag: #""v1""#], body: Response.Body(stream, length: Int64(length)))
      }
      continuation.finish()
      let fields: HTTPFields = [.eTag: #""v1""#, .contentRange: "bytes \(half)-\(length - 1)/\(length)"]
      return Response(.partialContent, fields: fields, body: Response.Body(stream, length: Int64(half)))
    }
  }

  /// An inn of the company.
  struct Inn: Codable, Sendable {
    var name: String
    var beds: Int
  }

  /// A coach of the company, and when it arrives.
  struct Coach: Codable, Sendable {
    var name: String
    var hour: Int
  }
#endif
