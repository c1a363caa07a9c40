#if CURL
  package import StagecoachConformance
  import StagecoachCURL

  extension Subjects {
    /// The transport over libcurl.
    package static let curl = Subject("CURL", deviations: deviations) { setup in
      CURLTransport(connections: setup.connections, trust: setup.trust, time: setup.time)
    }

    private static let deviations: [Subject.Deviation] = [
      Subject.Deviation(
        "035b",
        "the end of a response with content is told once its request is sent, or has paused for too long",
        reference: "libcurl 7.88 transfer.c, Curl_readwrite: done when neither is left to receive nor to send"
      ),
      Subject.Deviation(
        "108f",
        "the end of a response with content is told once its request is sent, or has paused for too long",
        reference: "libcurl 7.88 transfer.c, Curl_readwrite: done when neither is left to receive nor to send"
      ),
      Subject.Deviation(
        "057",
        "an end of TLS without close_notify is taken for the end of a body that has no length",
        reference: "libcurl 7.88 vtls/openssl.c, ossl_recv: no error unless OpenSSL has queued one"
      ),
      Subject.Deviation(
        "095c",
        "RST_STREAM is kept until something else is written to the connection",
        reference: "libcurl 7.88 http2.c, send_callback: small frames wait in outbuf"
      ),
      Subject.Deviation(
        "108a",
        "more connections are made, up to connectionsPerOrigin, when the streams of one are used up",
        reference: "libcurl 7.88 url.c, ConnectionExists: MAX_CONCURRENT_STREAMS reached, skip"
      ),
    ]
  }
#endif
