#if CURL
  import CCurl
  import StagecoachCore

  /// The version and features of the loaded libcurl.
  enum Library {
    /// Whether the library was initialized; done once per process.
    static let isUsable = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private static let version = isUsable ? stagecoach_curl_version()?.pointee.version_num ?? 0 : 0

    private static let features: Int32 = isUsable ? stagecoach_curl_version()?.pointee.features ?? 0 : 0

    /// Whether HTTP/2 is usable: from 8.1 on. Earlier versions do not distinguish the end of a stream from a connection
    /// error that truncates it (7.88 http2.c, h2_process_pending_input: CURLE_OK without END_STREAM).
    static let hasHTTP2 = features & CURL_VERSION_HTTP2 != 0 && version >= 0x08_0100
    /// Whether a handle is reusable for another transfer. Before 8.1 it keeps the address of the last field line of the
    /// previous transfer, whose memory is freed, and a head that begins with a folded line writes there (headers.c,
    /// unfold_value).
    static let reusesHandles = version >= 0x08_0100
    static let hasHTTP3 = features & CURL_VERSION_HTTP3 != 0
    static let hasTLS = features & CURL_VERSION_SSL != 0
    static let hasUnixSockets = features & CURL_VERSION_UNIX_SOCKETS != 0

    /// Whether its TLS is OpenSSL itself, and not a fork.
    static let usesOpenSSL =
      isUsable
      && stagecoach_curl_version()?.pointee.ssl_version.map { String(cString: $0) }?.hasPrefix("OpenSSL/")
        == true

    /// The file of the system's roots; `nil` if the library takes them from elsewhere.
    static let rootsFile: String? =
      isUsable
      ? stagecoach_curl_version()?.pointee.cainfo.map { String(cString: $0) } : nil

    /// The library and its TLS, such as `libcurl/7.88.1 OpenSSL/3.0.19`.
    static let text = isUsable ? String(cString: curl_version()) : "libcurl"

    /// The capabilities of every transport over this library.
    static let capabilities: TransportCapabilities = {
      var all: TransportCapabilities = [
        .wire, .streamsRequestBodies, .streamsResponseBodies, .requestTrailers, .responseTrailers,
        .exactFields,
        .exactChunks, .reasonPhrases, .asteriskForm, .expectContinue, .informationalResponses, .fullDuplex,
        .httpProxies, .socksProxies, .proxyDigest, .addressOverrides, .localAddress, .connectionTimings,
        .injectedClock, .newConnections,
      ]
      if hasHTTP2 { all.formUnion([.http2, .http2PriorKnowledge]) }
      if hasHTTP3 { all.formUnion(.http3) }
      if hasUnixSockets { all.formUnion(.unixSockets) }
      if hasTLS {
        all.formUnion([
          .customRoots, .clientIdentity, .pinsLeaf, .evaluatesTrust, .tlsVersions,
        ])
      }
      return all
    }()
  }
#endif
