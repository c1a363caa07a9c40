import Stagecoach
import StagecoachConformance
import WireScripts

/// The replies that mutated ones are made from.
struct Seeds {
  /// Replies of HTTP/1.1, small ones and large ones.
  let small, large: [[UInt8]]

  /// What the servers of the wire scripts send, from one request to the next, and what is written here.
  ///
  /// - Throws: What reading the scripts throws.
  init() throws {
    var all = Self.written.map(Latin1.bytes)
    for file in try WireScripts.all() {
      let script = try JSONValue(parsing: file.text)
      for item in script["cases"]?.arrayValue ?? [] { all += try Self.replies(of: item) }
    }
    small = all.filter { !$0.isEmpty && $0.count <= 2048 }
    large = all.filter { $0.count > 2048 }
  }

  private static func replies(of item: JSONValue) throws -> [[UInt8]] {
    var replies: [[UInt8]] = []
    if let respond = item["respond"] {
      for text in respond.arrayValue ?? [respond] {
        if case .send(let bytes) = try WireStep(["send": text]) { replies.append(bytes) }
      }
    }
    for connection in item["connections"]?.arrayValue ?? [] {
      var reply: [UInt8] = []
      for step in try (connection.arrayValue ?? []).map({ try WireStep($0) }) {
        switch step {
        case .send(let bytes), .drip(let bytes, _): reply += bytes
        case .sendForever(let bytes, _):
          reply += Array(repeatElement(bytes, count: 20_000 / bytes.count).joined())
        case .readHead:
          replies.append(reply)
          reply = []
        default: break
        }
      }
      replies.append(reply)
    }
    // Longer ones only take time.
    return replies.map { Array($0.prefix(70_000)) }
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
  private static let empty = "Content-Length: 0\r\n\r\n"
  private static let two = "Content-Length: 2\r\n\r\nok"

  private static let written = [
    ok + " fold: x\r\n" + two,
    ok + "\tfold\r\nX-A: b\r\n c\r\n" + two,
    ok + "X-A: b\r\n\r\n folded: after\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + " fold\r\n" + two,
    chunked + "\r\n2\r\nok\r\n0\r\n fold: x\r\nX-Sum: 1\r\n\r\n",
    chunked
      + "Trailer: X-Sum\r\n\r\n3;a=\"b\"\r\nabc\r\n0;c\r\nX-Sum: 1\r\n fold\r\nContent-Length: 9\r\n\r\n",
    chunked + "\r\n1;\(String(repeating: "e", count: 1500))\r\na\r\n0\r\n\r\n",
    ok + two, ok + two + ok + two,
    ok + "Connection: close\r\n\r\nuntil the end",
    ok + "Content-Length: 10\r\n\r\nabc",
    ok + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u{1f}\u{8b}\u{8}",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + ok + two,
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}",
    "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
    "HTTP/1.1 205 Reset Content\r\n" + empty,
    "HTTP/1.1 302 Found\r\nLocation: /next\r\n" + empty,
    "HTTP/1.1 307 Temporary Redirect\r\nLocation: next?a=b\r\nContent-Length: 4\r\n\r\ngone",
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n" + empty,
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=MD5\r\n"
      + empty,
    "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\n" + empty,
    "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Digest realm=\"p\", nonce=\"n\"\r\n"
      + empty,
    "HTTP/1.1 417 Expectation Failed\r\n" + empty,
    ok + "Set-Cookie: a=b; Path=/\r\nSet-Cookie: c=d; Expires=Wed, 21 Oct 2099 07:28:00 GMT\r\n" + two,
    "HTTP/1.0 200 OK\r\n\r\nold", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + two,
    "HTTP/2 200\r\n" + two, "HTTP/0.9 200\r\n\r\n", "ICY 200 OK\r\n\r\n", "\r\n\r\n" + ok + two,
  ]
}
