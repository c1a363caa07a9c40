#if Tool
  import StagecoachOrigin
  import Testing

  struct FaultTests {
    /// A request whose response each fault changes.
    private static func probe(
      _ fault: Origin.Fault
    ) -> (target: String, fields: [(String, String)], body: String)? {
      switch fault {
      case .wrongJSON: ("/json", [], "")
      case .dropsQuery: ("/echo?a=1", [], "")
      case .wrongStatus: ("/status/404", [], "")
      case .noTrailers: ("/chunked?trailers=1", [], "")
      case .wrongCharset: ("/text?charset=gbk", [], "")
      case .mergesFields: ("/headers?A=1&A=2", [], "")
      case .ignoresValidators: ("/etag/x", [("If-None-Match", "\"x\"")], "")
      case .rejectsCredentials: ("/bearer/x", [("Authorization", "Bearer x")], "")
      case .forgetsCookies: ("/cookies", [("Cookie", "a=1")], "")
      case .neverRecovers: ("/retry/0", [], "")
      case .wrongLocation: ("/redirect/302", [], "")
      case .corruptsCompression: ("/gzip", [], "")
      case .miscountsUpload: ("/upload", [], "abc")
      case .malformedXML: ("/feed.xml", [], "")
      case .skipsEarlyHints: ("/early-hints", [], "")
      // This one ends in the middle of the body, see below.
      case .truncatesBody: nil
      @unknown default: nil
      }
    }

    private static func summary(_ response: WireResponse) -> [String] {
      let fields = (response.fields + response.trailers).filter { $0.name != "Date" }
      return ["\(response.status)", "\(response.body)"] + fields.map { "\($0.name): \($0.value)" }
    }

    @Test(arguments: Origin.Fault.allCases.filter { $0 != .truncatesBody })
    func eachFaultChangesItsBehaviourAndNoOther(_ fault: Origin.Fault) async throws {
      try await withOrigin { sound in
        try await withOrigin(fault: fault) { faulty in
          for other in Origin.Fault.allCases {
            guard let probe = Self.probe(other) else { continue }
            let expected = try await sound.exchange("POST", probe.target, probe.fields, body: probe.body)
            let actual = try await faulty.exchange("POST", probe.target, probe.fields, body: probe.body)
            let isSame = Self.summary(expected) == Self.summary(actual)
            #expect(isSame == (other != fault), "\(fault) and the probe of \(other)")
          }
        }
      }
    }

    @Test func truncationEndsTheConnectionEarly() async throws {
      try await withOrigin(fault: .truncatesBody) { origin in
        let peer = try Peer(port: origin.port)
        try await peer.send("GET /bytes/1000 HTTP/1.1\r\nHost: a\r\n\r\n")
        let bytes = try await peer.receiveToEnd()
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        #expect(String(decoding: bytes[..<end], as: UTF8.self).contains("Content-Length: 1000\r\n"))
        #expect(bytes.count - end == 500)
        #expect(try await origin.exchange("GET", "/json").status == 200)
      }
    }

    @Test func faultsAreReadByName() throws {
      for fault in Origin.Fault.allCases { #expect(try Origin.Fault(named: fault.rawValue) == fault) }
      #expect(try Origin.Fault(named: "DROPSQUERY") == .dropsQuery)
      #expect {
        try Origin.Fault(named: "none")
      } throws: { error in
        "\(error)".contains("'none'") && "\(error)".contains("dropsQuery")
      }
    }
  }
#endif
