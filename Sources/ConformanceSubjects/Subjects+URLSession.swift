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
  private static let mended: Set = ["028", "029", "064"]

  package static let urlSessionPipeline = pipeline(over: urlSession, except: mended, makeURLSession)

  @Sendable
  private static func makeURLSession(_ setup: Subject.Setup) throws -> any Transport {
    URLSessionTransport(connections: setup.connections, trust: setup.trust, time: setup.time)
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
      "a body is complete before it is sent, since a stream that waits ends for the engine"
    private static let unpaused =
      "the engine cannot be paused; what is unread is bounded, and a file would only move it"

    fileprivate static let deviationsOnLinux: [Subject.Deviation] = [
      .init(
        "080c",
        "trailer fields end the process; a response that announces them is refused",
        reference: "NativeProtocol.swift:240",
        endsProcess: true
      ),
      .init(
        "081",
        "trailer fields end the process; a response that announces them is refused",
        reference: "NativeProtocol.swift:240",
        endsProcess: true
      ),
      .init(
        "002",
        "a lower-case get would be sent as GET, and is refused",
        reference: "NSURLRequest.swift, httpMethod"
      ),
      .init(
        "003",
        "dot segments would be taken out, and are refused",
        reference: "EasyHandle.swift, set(url:), without CURLOPT_PATH_AS_IS"
      ),
      .init("003b", "URL encodes brackets", reference: "swift-foundation, URL(string:)"),
      .init(
        "028",
        "\(complete), so that nothing is sent and the peer of the check waits",
        reference: "BodySource.swift, _BodyStreamSource.getNextChunk"
      ),
      .init("029", "as 028", reference: "BodySource.swift, _BodyStreamSource.getNextChunk"),
      .init("031", complete, reference: "BodySource.swift, _BodyStreamSource.getNextChunk"),
      .init("032", complete, reference: "BodySource.swift, _BodyStreamSource.getNextChunk"),
      .init("035", complete, reference: "BodySource.swift, _BodyStreamSource.getNextChunk"),
      .init("035b", complete, reference: "BodySource.swift, _BodyStreamSource.getNextChunk"),
      .init(
        "040",
        "a status line without a space after the code fails, with a typed error",
        reference: "HTTPMessage.swift, splitRequestLine"
      ),
      .init("045", "libcurl takes any case of HTTP", reference: "libcurl 7.88.1, http.c, checkhttpprefix"),
      .init(
        "049",
        "the engine joins fields of a name; a split of Set-Cookie would be a guess, and forgeable",
        reference: "HTTPMessage.swift, headersAsDictionary"
      ),
      .init(
        "053",
        "a head that is not UTF-8 fails, with a typed error",
        reference: "Message.swift, _ParsedResponseHeader.byAppending"
      ),
      .init(
        "064",
        "the length does not count, and libcurl uses the connection again",
        reference: "EasyHandle.swift, no CURLOPT_FORBID_REUSE"
      ),
      .init("071", unpaused, reference: "NativeProtocol.swift, \"Need to solve pausing receive\""),
      .init(
        "075c",
        "libcurl takes truncated codings for complete",
        reference: "libcurl 7.88.1, content_encoding.c"
      ),
      .init(
        "085b",
        "libcurl sends the head again, without the body, which is stopped",
        reference: "libcurl 7.88.1, transfer.c, Curl_retry_request"
      ),
      .init(
        "086",
        "libcurl uses a connection on which bytes wait",
        reference: "libcurl 7.88.1, url.c, extract_if_dead"
      ),
      .init(
        "009b",
        "URL cannot hold what libcurl takes for a zone",
        reference: "EasyHandle.swift, set(url:)"
      ),
      .init("094d", complete, reference: "BodySource.swift, _BodyStreamSource.getNextChunk"),
      .init(
        "097a",
        "nothing tells when a connection is made; connecting counts to headTimeout",
        reference: "URLSessionTaskMetrics is never filled"
      ),
      .init("101", unpaused, reference: "NativeProtocol.swift, \"Need to solve pausing receive\""),
      .init(
        "104g",
        "a connection that breaks inside the head or the trailer section ends the process, as trailer fields do",
        reference: "NativeProtocol.swift:240",
        endsProcess: true
      ),
      .init(
        "104h",
        "it fails as transport: the engine has no code for it, and its text is the same for other failures",
        reference:
          "EasyHandle.swift, urlErrorCode(for:), CURLE_COULDNT_CONNECT with some values of errno alone"
      ),
      .init(
        "105d",
        "versions of TLS are left to libcurl's library, which may still take 1.1",
        reference: "EasyHandle.swift, no CURLOPT_SSLVERSION"
      ),
    ]
  }
#endif
