#if CURL
  import CCurl
  import HTTPTypes
  import StagecoachCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A curl handle, reused for successive transfers: creating one costs a seventh of a small exchange.
  ///
  /// Options that do not change between transfers are set once; of the others, only those that differ from the last
  /// transfer.
  final class EasyHandle {
    /// The maximum size of content that is written together with the head, in bytes.
    private static let longestInline = 16 * 1024
    private static let errorSize = Int(CURL_ERROR_SIZE)

    let curl: UnsafeMutableRawPointer
    /// The current transfer.
    var job: Job?
    /// The socket that curl last asked to watch for this transfer; negative if there is none. It may be closed.
    var socket: Int32 = -1
    /// Whether curl reads the content through a callback.
    private(set) var readsContent = false

    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: errorSize)
    private let fields = FieldList()
    private var place: Place?
    private var parts: Place.Parts?
    private(set) var proxy: Proxy?
    private var target: String?
    private var method: HTTPRequest.Method?
    private var version: Int?
    private var forbidsReuse = false
    private var connectsAnew = false
    private var isInline = false

    init?() {
      guard let curl = curl_easy_init() else { return nil }
      self.curl = curl
      errorBuffer.initialize(repeating: 0, count: Self.errorSize)
      set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorBuffer))
      set(CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
      curl_easy_cleanup(curl)
      errorBuffer.deallocate()
    }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) {
      _ = stagecoach_curl_set_long(curl, option, value)
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
      _ = stagecoach_curl_set_pointer(curl, option, value)
    }

    func set(_ option: CURLoption, _ value: String?) throws {
      let code =
        if let value {
          value.withCString { stagecoach_curl_set_string(curl, option, $0) }
        } else {
          stagecoach_curl_set_string(curl, option, nil)
        }
      guard code == CURLE_OK else {
        throw ExchangeError(
          .unsupported,
          "libcurl takes no such option: \(String(cString: curl_easy_strerror(code)))"
        )
      }
    }

    /// Sets bytes that live as long as the handle.
    func set(_ option: CURLoption, _ bytes: UnsafeRawBufferPointer) throws {
      guard stagecoach_curl_set_blob(curl, option, bytes.baseAddress, bytes.count) == CURLE_OK else {
        throw ExchangeError(.unsupported, "this libcurl cannot read certificates and keys from memory")
      }
    }

    /// Closes the connection after this transfer.
    func forbidReuse() {
      forbidsReuse = true
      set(CURLOPT_FORBID_REUSE, 1)
    }

    /// Finds the socket of a transfer that ended in the turn in which it began: curl did not ask to watch it.
    func findSocket() {
      if socket < 0 { socket = stagecoach_curl_get_socket(curl) }
    }

    // MARK: A transfer

    /// Sets the options for the request of a transfer.
    ///
    /// - Throws: `ExchangeError` if curl does not support the request.
    func prepare(_ transfer: Transfer, _ configuration: EngineConfiguration) throws {
      errorBuffer[0] = 0
      let request = transfer.request
      let parts = try setPlace(transfer.place, configuration)
      let path = request.head.path ?? "/"
      // The absolute form, if a proxy forwards the request (RFC 9112 3.2.2).
      let target =
        proxy?.forwards(to: transfer.place) == true
        ? "\(transfer.place.scheme)://\(parts.hostField)\(path == "*" ? "" : path)" : path
      if self.target != target {
        try set(CURLOPT_REQUEST_TARGET, target)
        self.target = target
      }
      try setVersion(transfer, configuration.connections.versions)
      isInline = setContent(request)
      if method != request.method {
        try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        method = request.method
      }
      if forbidsReuse {
        set(CURLOPT_FORBID_REUSE, 0)
        forbidsReuse = false
      }
      setNewConnection(
        request.options.networkUse?.newConnection == true || judgesEach(transfer, configuration)
      )
      setFields(request, parts)
    }

    /// Whether each connection must be checked by its certificate and cannot be identified later. Such connections are
    /// not reused.
    private func judgesEach(_ transfer: Transfer, _ configuration: EngineConfiguration) -> Bool {
      configuration.connections.unixSocket != nil && transfer.trust?.examinesChain == true
    }

    private func setNewConnection(_ isNew: Bool) {
      guard connectsAnew != isNew else { return }
      set(CURLOPT_FRESH_CONNECT, isNew ? 1 : 0)
      connectsAnew = isNew
    }

    private func setPlace(_ place: Place, _ configuration: EngineConfiguration) throws -> Place.Parts {
      if self.place == place, let parts { return parts }
      let parts = try place.parts()
      self.place = nil
      let proxy = try configuration.proxy(for: place, parts)
      if let proxy { try Library.capabilities.check(proxy, transport: "CURL") }
      try set(CURLOPT_URL, parts.url)
      let shown = proxy.map { $0.host.contains(":") ? "[\($0.host)]" : $0.host } ?? ""
      // The empty text keeps curl from looking for proxies in the environment.
      try set(CURLOPT_PROXY, proxy.map { "\($0.kind.rawValue)://\(shown):\($0.port)" } ?? "")
      try setCredentials(of: proxy)
      let isDigest = proxy?.authentication == .digest && proxy?.origin != nil
      set(CURLOPT_PROXYAUTH, isDigest ? stagecoach_curl_auth_digest : stagecoach_curl_auth_basic)
      // After a challenge curl repeats the request that was challenged, which must not be ours.
      set(CURLOPT_HTTPPROXYTUNNEL, isDigest ? 1 : 0)
      self.proxy = proxy
      self.parts = parts
      self.place = place
      return parts
    }

    /// Before 8.8, libcurl decodes the values of `CURLOPT_PROXYUSERNAME` and `CURLOPT_PROXYPASSWORD` (url.c,
    /// parse_proxy_auth; curl issue 13265). `CURLOPT_PROXYUSERPWD` takes encoded values in all versions.
    private func setCredentials(of proxy: Proxy?) throws {
      // From 8.8 on, a text without a password leaves the one of before.
      try set(CURLOPT_PROXYUSERNAME, nil as String?)
      try set(CURLOPT_PROXYPASSWORD, nil as String?)
      guard let user = proxy?.user else { return }
      let password = try proxy?.password.map { ":\(try encoded($0))" } ?? ""
      try set(CURLOPT_PROXYUSERPWD, encoded(user) + password)
    }

    /// Returns the text that libcurl decodes to this one.
    private func encoded(_ text: String) throws -> String {
      guard let encoded = curl_easy_escape(curl, text, Int32(clamping: text.utf8.count)) else {
        throw ExchangeError(.transport, "libcurl cannot encode the credentials of the proxy")
      }
      defer { curl_free(encoded) }
      return String(cString: encoded)
    }

    private func setVersion(_ transfer: Transfer, _ versions: HTTPVersions) throws {
      let needed: Int
      if transfer.request.body.hasTrailers {
        // curl sends trailer fields only after chunked content.
        guard versions.contains(.http1) else {
          throw ExchangeError(.unsupported, "libcurl sends trailer fields only with HTTP/1.1")
        }
        needed = Int(CURL_HTTP_VERSION_1_1)
      } else if !versions.contains(.http1) {
        needed = Int(versions.contains(.http2) ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_3)
      } else if versions.contains(.http3), Library.hasHTTP3, transfer.place.isSecure {
        needed = Int(CURL_HTTP_VERSION_3)
      } else if versions.contains(.http2), Library.hasHTTP2, transfer.place.isSecure {
        needed = Int(CURL_HTTP_VERSION_2TLS)
      } else {
        needed = Int(CURL_HTTP_VERSION_1_1)
      }
      guard version != needed else { return }
      set(CURLOPT_HTTP_VERSION, needed)
      version = needed
    }

    /// The methods whose requests declare that they have no content (RFC 9110 8.6).
    private static let contentMethods: Set<HTTPRequest.Method> = [.post, .put, .patch]

    /// - Returns: Whether the content is given to curl together with the head.
    private func setContent(_ request: Request) -> Bool {
      let body = request.body
      set(CURLOPT_HTTPGET, 1)
      readsContent = false
      if request.method == .head { set(CURLOPT_NOBODY, 1) }
      let length = body.hasTrailers ? nil : body.length
      if length == 0, !Self.contentMethods.contains(request.method) { return false }
      if let bytes = body.bytes, !body.hasTrailers, bytes.count <= Self.longestInline,
        request.method != .head,
        request.fields[.expect] == nil
      {
        set(CURLOPT_POST, 1)
        _ = stagecoach_curl_set_offset(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
        bytes.withUnsafeBytes { buffer in
          _ = stagecoach_curl_set_string(
            curl,
            CURLOPT_COPYPOSTFIELDS,
            buffer.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(errorBuffer)
          )
        }
        return true
      }
      set(CURLOPT_UPLOAD, 1)
      if request.method == .head { set(CURLOPT_NOBODY, 1) }
      _ = stagecoach_curl_set_offset(curl, CURLOPT_INFILESIZE_LARGE, length.map { curl_off_t($0) } ?? -1)
      _ = stagecoach_curl_set_trailer(curl, body.hasTrailers ? trailerCallback : nil)
      readsContent = true
      return false
    }

    private func setFields(_ request: Request, _ parts: Place.Parts) {
      var seen: Seen = []
      fields.removeAll()
      let all = request.head.headerFields
      // By index: a generic iteration over another module's collection is several times slower.
      for index in all.startIndex..<all.endIndex {
        let field = all[index]
        switch field.name {
        case .contentLength, .transferEncoding: continue  // set by curl from the content
        case .accept: seen.insert(.accept)
        case .contentType: seen.insert(.contentType)
        case .expect: seen.insert(.expect)
        case .connection:
          if field.value.lowercased().contains("close") { forbidReuse() }
        case .cookie:
          // Cookies are sent as one field, even if the request has several (RFC 6265 5.4).
          guard seen.insert(.cookie).inserted else { continue }
          let cookies = all[fields: .cookie]
          if cookies.count > 1 {
            let joined = Array(
              cookies.map { $0.withUnsafeBytesOfValue { Array($0) } }.joined(separator: "; ".utf8)
            )
            fields.append(HTTPField(name: field.name, value: joined))
            continue
          }
        default:
          if field.name.canonicalName == "host" { seen.insert(.host) }
        }
        fields.append(field)
      }
      if !seen.contains(.host) { fields.append("Host: \(parts.hostField)") }
      // A name without a value keeps curl from adding a default field.
      if !seen.contains(.accept) { fields.append("Accept:") }
      if isInline, !seen.contains(.contentType) { fields.append("Content-Type:") }
      if isInline || readsContent, !seen.contains(.expect) { fields.append("Expect:") }
      _ = stagecoach_curl_set_list(curl, CURLOPT_HTTPHEADER, fields.list())
    }

    private struct Seen: OptionSet {
      let rawValue: UInt8

      static let accept = Seen(rawValue: 1)
      static let contentType = Seen(rawValue: 2)
      static let expect = Seen(rawValue: 4)
      static let cookie = Seen(rawValue: 8)
      static let host = Seen(rawValue: 16)
    }

    /// Clears the state of the ended transfer.
    func clear() {
      job = nil
      socket = -1
      if isInline { _ = stagecoach_curl_set_string(curl, CURLOPT_COPYPOSTFIELDS, nil) }
      _ = stagecoach_curl_set_list(curl, CURLOPT_HTTPHEADER, nil)
    }

    /// Pauses and resumes, by curl's bits.
    ///
    /// - Returns: The result of delivering data that curl had kept. If a callback refuses it, the transfer is over, and
    ///   curl reports that nowhere else.
    func pause(_ bits: Int32) -> CURLcode {
      curl_easy_pause(curl, bits)
    }

    // MARK: What curl tells

    /// The error text of curl's last failure; empty if there is none.
    var errorText: String { String(cString: errorBuffer) }

    /// The system's error number of the last failure.
    var systemError: Int { stagecoach_curl_get_long(curl, CURLINFO_OS_ERRNO) }

    /// The verification result of OpenSSL for the certificate.
    var verificationResult: Int { stagecoach_curl_get_long(curl, CURLINFO_SSL_VERIFYRESULT) }

    /// The status with which a proxy answered CONNECT; 0 if there was none.
    var connectStatus: Int { stagecoach_curl_get_long(curl, CURLINFO_HTTP_CONNECTCODE) }

    /// The reason for `CURLE_PROXY`.
    var proxyError: CURLproxycode {
      CURLproxycode(
        rawValue: UInt32(truncatingIfNeeded: stagecoach_curl_get_long(curl, CURLINFO_PROXY_ERROR))
      )
    }

    /// The authentication schemes that the proxy offered in a 407.
    var offeredProxySchemes: [String] {
      let offered = stagecoach_curl_get_long(curl, CURLINFO_PROXYAUTH_AVAIL)
      let known = [
        (stagecoach_curl_auth_basic, "Basic"), (stagecoach_curl_auth_digest, "Digest"),
        (stagecoach_curl_auth_negotiate, "Negotiate"), (stagecoach_curl_auth_ntlm, "NTLM"),
      ]
      return known.filter { offered & $0.0 != 0 }.map(\.1)
    }

    /// The number of connections that this transfer made; 0 if it reuses one.
    var connectionCount: Int { stagecoach_curl_get_long(curl, CURLINFO_NUM_CONNECTS) }

    /// Reads the durations of the steps of connecting.
    func readTimings(into info: inout ConnectionInfo) {
      let resolved = stagecoach_curl_get_offset(curl, CURLINFO_NAMELOOKUP_TIME_T)
      let connected = stagecoach_curl_get_offset(curl, CURLINFO_CONNECT_TIME_T)
      let agreed = stagecoach_curl_get_offset(curl, CURLINFO_APPCONNECT_TIME_T)
      info.nameResolution = .microseconds(Int64(resolved))
      info.connecting = .microseconds(Int64(max(connected - resolved, 0)))
      if agreed > 0 { info.tlsHandshake = .microseconds(Int64(max(agreed - connected, 0))) }
    }

    /// Returns the leaf certificate of the peer of a new connection.
    func peerCertificate() throws -> Certificate? {
      guard let info = stagecoach_curl_get_certificates(curl)?.pointee, info.num_of_certs > 0,
        var entry = info.certinfo?[0]
      else { return nil }
      while true {
        if let data = entry.pointee.data, strncmp(data, "Cert:", 5) == 0 {
          return try Certificate.fromPEM(String(cString: data + 5)).first
        }
        guard let next = entry.pointee.next else { return nil }
        entry = next
      }
    }

    /// Whether a line begins with a field name, in any case.
    func isName(_ name: StaticString, at line: UnsafeRawBufferPointer) -> Bool {
      guard line.count > name.utf8CodeUnitCount, let start = line.baseAddress else { return false }
      return strncasecmp(start.assumingMemoryBound(to: CChar.self), name.utf8Start, name.utf8CodeUnitCount)
        == 0
    }
  }
#endif
