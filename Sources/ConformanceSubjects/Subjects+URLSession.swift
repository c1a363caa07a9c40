import Stagecoach
package import StagecoachConformance
import StagecoachURLSession

extension Subjects {
  /// The transport over URLSession.
  package static let urlSession = Subject(
    "URLSession",
    deviations: urlSessionDeviations,
    make: makeURLSession
  )

  /// Retry gets the answer to the second request of these, on the connection after the one that it should not be sent on.
  private static let fixed: Set = ["028", "029", "043b"]

  package static let urlSessionPipeline = pipeline(over: urlSession, except: fixed, makeURLSession)

  @Sendable
  private static func makeURLSession(_ setup: Subject.Setup) throws -> any Transport {
    URLSessionTransport(connections: setup.connections, trust: setup.trust, clock: setup.clock)
  }

  #if canImport(FoundationNetworking)
    private static let urlSessionDeviations = deviationsOnLinux
  #else
    /// Nobody has run the kit there yet.
    private static let urlSessionDeviations: [Subject.Deviation] = []
  #endif
}

#if canImport(FoundationNetworking)
  extension Subjects {
    private static let complete =
      "a body is complete before it is sent: a stream that waits ends for the engine, and its own source of files stands "
      + "still"
    private static let unpaused =
      "the engine cannot be paused, and a task that was suspended is sent again; what is unread is bounded, and a file "
      + "would only move it"
    private static let trailers =
      "trailer fields end the process, before a delegate is asked; a response that announces them is refused"
    private static let source = "BodySource.swift, _BodyStreamSource.getNextChunk"
    private static let receiving =
      "NativeProtocol.swift, internalState: \"Need to solve pausing receive\""

    fileprivate static let deviationsOnLinux: [Subject.Deviation] = [
      .init("080c", failure: nil, trailers, reference: "NativeProtocol.swift:240"),
      .init("081", failure: nil, trailers, reference: "NativeProtocol.swift:240"),
      .init(
        "002",
        failure: "unsupported: URLSession sends the method get as GET",
        "a lower-case get would be sent as GET, and is refused: a request has nothing else that names its method",
        reference: "NSURLRequest.swift, httpMethod"
      ),
      .init(
        "003",
        failure: "unsupported: URLSession cannot send the target /./a/../b",
        "dot segments would be taken out, and are refused: encoded, they would be another target",
        reference: "EasyHandle.swift, set(url:), without CURLOPT_PATH_AS_IS"
      ),
      .init(
        "003b",
        failure: "it starts with \"GET /a?b%5B%5D=1&c%5Bd%5D=2 HTTP/1.1\"",
        "URL encodes brackets, and makes no URL of them where it is told not to",
        reference: "swift-foundation URL.swift, init(string:encodingInvalidCharacters:)"
      ),
      .init(
        "028",
        failure: "timeout.head",
        "\(complete), so that nothing is sent and the peer of the check waits",
        reference: source
      ),
      .init("029", failure: "timeout.head", "as 028", reference: source),
      .init("031", failure: "bytes ahead", complete, reference: source),
      .init("032", failure: "were pulled while the peer did not read", complete, reference: source),
      .init("035", failure: "the body paused for longer than 30 s", complete, reference: source),
      .init("035b", failure: "the body paused for longer than 5 s", complete, reference: source),
      .init(
        "040",
        failure: "without the space: it failed: no response, protocolViolation",
        "a status line without a space after the code fails, with a typed error; its bytes are shown to no delegate",
        reference: "HTTPMessage.swift, splitRequestLine"
      ),
      .init(
        "043b",
        failure: "timeout.head",
        "libcurl keeps the connection of such a response, whose version no delegate is shown",
        reference: "HTTPURLResponse, without a version; libcurl http.c, Curl_http_statusline"
      ),
      .init(
        "046",
        failure: "protocolViolation",
        "a head whose lines end with a bare LF fails, with a typed error; its bytes are shown to no delegate",
        reference: "Message.swift, _ParsedResponseHeader.byAppending"
      ),
      .init(
        "045",
        failure: "Http/1.1: expected a failure",
        "libcurl takes any case of HTTP; the status line is shown to no delegate, and no option makes it stricter",
        reference: "libcurl 7.88.1 http.c, checkhttpprefix"
      ),
      .init(
        "049",
        failure: "Set-Cookie has the values",
        "the engine joins fields of a name; a split of Set-Cookie would be a guess, and forgeable",
        reference: "HTTPMessage.swift, headersAsDictionary"
      ),
      .init(
        "053",
        failure: "it failed: no response, protocolViolation",
        "a head that is not UTF-8 fails, with a typed error; its bytes are shown to no delegate",
        reference: "Message.swift, _ParsedResponseHeader.byAppending"
      ),
      .init(
        "053b",
        failure: "it failed: no response, protocolViolation",
        "as 053",
        reference: "Message.swift, _ParsedResponseHeader.byAppending"
      ),
      .init(
        "065b",
        failure: "with a length: it failed: 200, 3 bytes, timeout.idle",
        "libcurl ignores a length beside any transfer coding, and waits for the end of the connection",
        reference: "libcurl 7.88.1 http.c, Curl_http_header: k->ignore_cl"
      ),
      .init(
        "060c",
        failure: "none: it failed: no response, protocolViolation",
        "a head fails, with a typed error, in which no blank stands before a value, or more than one and nothing else; its "
          + "bytes are shown to no delegate",
        reference: "HTTPMessage.swift, createOne(from:): trimSPHTPrefix"
      ),
      .init(
        "061c",
        failure: "an endless one: expected a failure",
        "libcurl skips chunk extensions of any length without reporting them",
        reference: "libcurl http_chunks.c, CHUNK_LF"
      ),
      .init("071", failure: "bytes ahead", unpaused, reference: receiving),
      .init(
        "075c",
        failure: "truncated: expected a failure",
        "libcurl takes truncated codings for complete; the engine always has it decode, so that no decoder here gets the "
          + "coded bytes",
        reference:
          "libcurl 7.88.1 content_encoding.c, deflate_close_writer; HTTPURLProtocol.swift, configureEasyHandle: "
          + "automaticBodyDecompression"
      ),
      .init(
        "085b",
        failure: "the POST was sent 2 times",
        "libcurl sends the head again, without the body, which is stopped; a new connection for each request with content "
          + "avoids it, at the price of a handshake each",
        reference: "libcurl 7.88.1 transfer.c, Curl_retry_request"
      ),
      .init(
        "086",
        failure: "the body is \"evil\"",
        "libcurl uses a connection on which bytes wait; neither session nor task shows its socket",
        reference: "libcurl 7.88.1 url.c, extract_if_dead"
      ),
      .init(
        "086d",
        failure: "there is a field X-Junk",
        "as 086",
        reference: "libcurl 7.88.1 url.c, extract_if_dead"
      ),
      .init(
        "009b",
        failure: "URLSession cannot connect to the zone",
        "an address with a zone is refused as a bad URL, with brackets and with encoded ones, which addresses need",
        reference: "EasyHandle.swift, set(url:): CFURLSessionCurlHostIsEqual"
      ),
      .init(
        "094d",
        failure: "the server did not get to the point of the cancellation",
        complete,
        reference: source
      ),
      .init(
        "097a",
        failure: "it fails as tls.handshake",
        "nothing tells when a connection is made: metrics are never collected; connecting counts to headTimeout, so that "
          + "the peer of the check ends it before",
        reference: "URLSessionTaskMetrics.swift, which nothing fills"
      ),
      .init("101", failure: "bytes were sent while the reader paused", unpaused, reference: receiving),
      .init(
        "104g",
        failure: nil,
        "a connection that breaks inside the head or the trailer section ends the process, before a delegate is asked",
        reference: "NativeProtocol.swift:240"
      ),
      .init(
        "104h",
        failure: "it fails as transport: Failed to connect",
        "it fails as transport: the engine has no code for it, and its text is the same for other failures",
        reference:
          "EasyHandle.swift, urlErrorCode(for:): CURLE_COULDNT_CONNECT with some values of errno alone"
      ),
      .init(
        "105d",
        failure: "it fails as tls.untrusted",
        "versions of TLS are left to libcurl's library, which may still take 1.1; the configuration of a session has "
          + "none of its own on Linux",
        reference: "URLSessionConfiguration.swift; EasyHandle.swift, which never sets CURLOPT_SSLVERSION"
      ),
    ]
  }
#endif
