#if CURL
  import StagecoachCore
  package import StagecoachConformance
  import StagecoachCURL

  extension Subjects {
    /// The transport over libcurl.
    package static let curl = Subject("CURL", deviations: deviations, make: make)

    /// Validation refuses the first response of 035b before it is read, and Retry sends the request of 108g again.
    package static let curlPipeline = pipeline(over: curl, except: ["035b", "108g"], make)

    @Sendable
    private static func make(_ setup: Subject.Setup) throws -> any Transport {
      CURLTransport(connections: setup.connections, trust: setup.trust, clock: setup.clock)
    }

    private static let late =
      "the end of a response with content of unknown length is told once its request is sent, or has paused for too "
      + "long; one of known length is ended here, and nothing tells of the last chunk: with "
      + "CURLOPT_HTTP_TRANSFER_DECODING off it would take a parser of chunks and trailers, and HTTP/2 has none of them"

    /// Deviations of versions with HTTP/2; other versions do not claim these checks.
    private static let deviations: [Subject.Deviation] = [
      Subject.Deviation(
        "035b",
        failure: "the body paused for longer than 5 s",
        late,
        reference: "libcurl 7.88 transfer.c, Curl_readwrite: done when neither is left to receive nor to send"
      ),
      Subject.Deviation(
        "061c",
        failure: "an endless one: expected a failure",
        "libcurl skips chunk extensions of any length without reporting them",
        reference: "libcurl http_chunks.c, CHUNK_LF"
      ),
      Subject.Deviation(
        "108a",
        failure: "there were 2 connections",
        "where a connection has as many streams as the peer allows, another one is made, up to "
          + "`connectionsPerOrigin`; the limit of connections is one for all origins, and cannot be lowered where one "
          + "of them speaks HTTP/2",
        reference: "libcurl 8.5.0 to 8.20.0 url.c, ConnectionExists: MAX_CONCURRENT_STREAMS reached, skip"
      ),
      Subject.Deviation(
        "108g",
        failure: "as if it had been looked at",
        "libcurl repeats a request that GOAWAY left out in the same way as one whose connection died, and does not tell "
          + "which it was: it is refused to, and the failure says that the request may have been sent",
        reference:
          "libcurl 8.5.0 to 8.20.0 transfer.c, Curl_retry_request: conn->bits.reuse before data->state.refused_stream"
      ),
      Subject.Deviation(
        "108l",
        failure: "RST_STREAM of NO_ERROR, behind [\"abc\"]: 200, 3 bytes",
        "libcurl takes it for the end of the stream, and has no option or callback that tells of frames",
        reference: "libcurl 8.5.0 to 8.20.0 http2.c, on_stream_frame: stream->reset where the code is not 0"
      ),
    ]
  }
#endif
