#if CURL
  import Stagecoach
  package import StagecoachConformance
  import StagecoachCURL

  extension Subjects {
    /// The transport over libcurl.
    package static let curl = Subject("CURL", deviations: deviations, make: make)

    /// Validation refuses the first of these responses, before it is read.
    package static let curlPipeline = pipeline(over: curl, except: ["035b"], make)

    @Sendable
    private static func make(_ setup: Subject.Setup) throws -> any Transport {
      CURLTransport(connections: setup.connections, trust: setup.trust, time: setup.time)
    }

    private static let late =
      "the end of a response with content of unknown length is told once its request is sent, or has paused for too "
      + "long; one of known length is ended here, and nothing tells of the last chunk: with "
      + "CURLOPT_HTTP_TRANSFER_DECODING off it would take a parser of chunks and trailers, and HTTP/2 has none of them"
    private static let multiplexing =
      "each request of HTTP/2 has a connection of its own before libcurl 8.1; shared ones were tried: a response that is "
      + "not read keeps the others waiting, and the processor busy"

    private static let deviations: [Subject.Deviation] = [
      Subject.Deviation(
        "035b",
        failure: "the body paused for longer than 5 s",
        late,
        reference: "libcurl 7.88 transfer.c, Curl_readwrite: done when neither is left to receive nor to send"
      ),
      Subject.Deviation(
        "108f",
        failure: "the body paused for longer than 5 s",
        late,
        reference: "libcurl 7.88 transfer.c, Curl_readwrite: done when neither is left to receive nor to send"
      ),
      Subject.Deviation(
        "095c",
        failure: "there were 2 connections",
        multiplexing,
        reference: "libcurl 7.88 http2.c, on_data_chunk_recv: pause_stream_id"
      ),
      Subject.Deviation(
        "108a",
        failure: "there were 4 connections",
        multiplexing,
        reference: "libcurl 7.88 http2.c, on_data_chunk_recv: pause_stream_id"
      ),
    ]
  }
#endif
