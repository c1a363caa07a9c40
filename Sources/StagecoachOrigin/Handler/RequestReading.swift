#if Tool
  import HTTPTypes
  import NIOHTTP1
  import StagecoachCore

  /// The head of a request after everything was refused that two recipients could read in two ways (RFC 9112 3, 6, 11.2).
  struct RequestReading {
    /// The method, the complete target, and the fields without Host and those of the connection.
    let request: HTTPRequest
    /// The length of the content; `nil` if it is chunked.
    let length: Int64?
    /// Whether the client waits for 100 before it sends the content (RFC 9110 10.1.1).
    let expectsContinue: Bool
    /// Whether the connection may be kept after the response.
    let keepsAlive: Bool
    /// Whether the client knows neither chunks nor informational responses.
    let isHTTP10: Bool

    var hasContent: Bool { length != 0 }
    var isHead: Bool { request.method == .head }

    /// The longest target that is read, in bytes.
    private static let targetLimit = 16 * 1024

    /// Reads a head.
    ///
    /// - Parameter server: The authority of the server, for HTTP/1.0 requests without Host.
    /// - Throws: `Refusal` with the status of the response.
    init(_ head: HTTPRequestHead, server: String) throws(Refusal) {
      guard head.version.major == 1, head.version.minor <= 1 else {
        throw Refusal(.httpVersionNotSupported, "this server speaks HTTP/1.1 and HTTP/1.0")
      }
      guard head.method != .CONNECT else { throw Refusal(.notImplemented, "this server makes no tunnels") }
      // The parser reads M-SEARCH alone, and names it so.
      let name = head.method == .MSEARCH ? "M-SEARCH" : head.method.rawValue
      guard let method = HTTPRequest.Method(name) else { throw Refusal("invalid method") }
      isHTTP10 = head.version.minor == 0
      var framing = Framing()
      let ofConnection = ConnectionFields(head.headers["Connection"])
      var fields = HTTPFields()
      fields.reserveCapacity(head.headers.count)
      for (name, value) in head.headers {
        guard let fieldName = HTTPField.Name(name) else { throw Refusal("invalid field name") }
        let field = HTTPField(name: fieldName, engineText: value)
        // Its value has no blanks around it any more.
        guard try !framing.note(fieldName, field.value), !ofConnection.contains(fieldName) else { continue }
        fields.append(field)
      }
      length = try framing.length(isHTTP10: isHTTP10)
      expectsContinue = try framing.expectsContinue(isHTTP10: isHTTP10) && length != 0
      // The parser reads nothing after a request for another protocol.
      keepsAlive = head.isKeepAlive && !head.headers.contains(name: "Upgrade")
      guard isHTTP10 || !framing.upgrades.contains("websocket") || !ofConnection.hasOption("upgrade") else {
        throw Refusal(
          .notImplemented,
          "this server takes no WebSocket handshakes: connect to the service itself"
        )
      }
      if !isHTTP10, framing.host == nil { throw Refusal("the field Host is missing") }
      let target = try Target(head.uri, isOptions: method == .options)
      let authority = target.authority ?? framing.host ?? server
      for place in [authority, framing.host ?? server] where place != server {
        guard HostAndPort(place) != nil else { throw Refusal("invalid host") }
      }
      request = HTTPRequest(
        method: method,
        scheme: target.scheme,
        authority: authority,
        path: target.path,
        headerFields: fields
      )
    }

    /// The fields that decide where a message ends and whom it is for.
    private struct Framing {
      var host: String?
      private var contentLength: Int64?
      private var coding: String?
      private var expectations: [String] = []
      /// The protocols that the client offers to change to, in lower case.
      private(set) var upgrades: [String] = []

      /// - Returns: Whether the field is Host, which becomes part of the target.
      mutating func note(_ name: HTTPField.Name, _ value: String) throws(Refusal) -> Bool {
        switch name.canonicalName {
        case "host":
          guard host == nil else { throw Refusal("there is more than one field Host") }
          host = value
          return true
        case "content-length":
          guard contentLength == nil else { throw Refusal("there is more than one field Content-Length") }
          guard let length = Int64(digits: value) else { throw Refusal("invalid Content-Length") }
          contentLength = length
        case "transfer-encoding":
          guard coding == nil else { throw Refusal("there is more than one field Transfer-Encoding") }
          coding = value.lowercased()
        case "expect": expectations.append(value.lowercased())
        case "upgrade": upgrades += value.listedTokens
        default: break
        }
        return false
      }

      func length(isHTTP10: Bool) throws(Refusal) -> Int64? {
        guard let coding else { return contentLength ?? 0 }
        guard !isHTTP10 else { throw Refusal("HTTP/1.0 knows no Transfer-Encoding") }
        guard contentLength == nil else {
          throw Refusal("there are both Content-Length and Transfer-Encoding")
        }
        guard coding == "chunked" else { throw Refusal(.notImplemented, "unknown transfer coding") }
        return nil
      }

      func expectsContinue(isHTTP10: Bool) throws(Refusal) -> Bool {
        guard !isHTTP10, !expectations.isEmpty else { return false }
        guard expectations.allSatisfy({ $0 == "100-continue" }) else {
          throw Refusal(.expectationFailed, "unknown expectation")
        }
        return true
      }
    }

    /// A request target in one of its forms (RFC 9112 3.2).
    private struct Target {
      var scheme = "http"
      var authority: String?
      var path: String

      init(_ text: String, isOptions: Bool) throws(Refusal) {
        guard text.utf8.count <= RequestReading.targetLimit else {
          throw Refusal(.uriTooLong, "the target is longer than \(RequestReading.targetLimit) bytes")
        }
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") }) else {
          throw Refusal("invalid character in the target")
        }
        path = text
        guard text.utf8.first != UInt8(ascii: "/"), !isOptions || text != "*" else { return }
        // A proxy is asked for a complete URL.
        guard let mark = text.firstRange(of: "://") else { throw Refusal("invalid target") }
        scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { throw Refusal("invalid scheme") }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = String(rest[..<end])
        path = String(rest[end...])
        if path.isEmpty {
          path = isOptions ? "*" : "/"
        } else if path.utf8.first == UInt8(ascii: "?") {
          path = "/" + path
        }
      }
    }
  }

  extension Int64 {
    /// Reads what consists of digits alone; Swift's own reading takes signs too.
    init?(digits text: String) {
      guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let value = Int64(text) else { return nil }
      self = value
    }
  }
#endif
