#if Tool
  import HTTPTypes
  package import StagecoachCore

  /// The authorities that a server answers for, and the pages that may send it requests.
  ///
  /// A page of another site could reach a server of this machine under a name that its author lets point here (DNS
  /// rebinding), or send it requests without reading the responses. So a server answers for names of this machine, for the
  /// address that it listens at, for the services that it stands in for, and for the hosts that the user allows, each at
  /// any port: a tunnel or a container may map another one. A request of a page is answered if the page is of such a
  /// host. Clients other than browsers send no Origin.
  package struct ServedAuthorities: Sendable {
    /// The rules for served authorities, besides the address of the server.
    package struct Rules: Sendable {
      /// The URLs of the services that the server stands in for.
      package var services: [TargetURI]
      /// The hosts that the user allows; without a port, at any.
      package var allowed: [HostAndPort]
      /// Returns what the user has to write to allow a host.
      package var option: @Sendable (_ host: String) -> String
      /// Receives a line for each refused request.
      package var report: @Sendable (_ line: String) -> Void

      package init(
        services: [TargetURI],
        allowed: [HostAndPort],
        option: @escaping @Sendable (_ host: String) -> String,
        report: @escaping @Sendable (_ line: String) -> Void
      ) {
        self.services = services
        self.allowed = allowed
        self.option = option
        self.report = report
      }
    }

    private static let wildcards: Set<String> = ["0.0.0.0", "::"]
    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

    /// Whether a name is that of the address that servers listen at by default. A connection to 0.0.0.0 is one to it.
    private static func reachesLoopback(_ name: String) -> Bool {
      loopback.contains(name) || wildcards.contains(name) || name.hasSuffix(".localhost")
    }

    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!
    private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    private static let fetchDestination = HTTPField.Name("Sec-Fetch-Dest")!
    /// The maximum length of a host or an origin in a message, in characters.
    private static let shownLimit = 100

    private let rules: Rules
    /// The authority of the server.
    private let own: String
    /// The hosts that are served at any port.
    private let hosts: Set<String>
    /// Whether the server is reached by any address of the machine.
    private let takesAddresses: Bool
    /// Whether one of the services is the server itself.
    package let isLoop: Bool

    /// - Parameters:
    ///   - url: The URL of the server.
    ///   - rules: What is served beside it.
    package init(listening url: String, _ rules: Rules) {
      self.rules = rules
      own = String(url.dropFirst("http://".count))
      let listening = HostAndPort(own)
      let host = listening?.host ?? own
      takesAddresses = Self.wildcards.contains(host)
      isLoop = rules.services.contains { service in
        guard !service.isSecure, let place = HostAndPort(service.authority),
          place.port ?? 80 == listening?.port ?? 80
        else { return false }
        let isWildcard = Self.wildcards.contains(host)
        return place.name == host || isWildcard && place.isOfThisMachine
          || (isWildcard || host == "::1" || host.isLoopbackHost) && Self.reachesLoopback(place.name)
      }
      hosts = Set(
        [host] + rules.services.compactMap { HostAndPort($0.authority)?.name }
          + rules.allowed.lazy.filter { $0.port == nil }.map(\.name)
      )
    }

    /// Returns the answer to a request for another host or of a page of another site; `nil` if it is served.
    func refusal(of request: Request) -> Response? {
      let isSecure = request.head.scheme == "https"
      guard let authority = request.head.authority, contains(authority, isSecure: isSecure, isHost: true)
      else {
        let sent = request.head.authority ?? ""
        return refuse(.misdirectedRequest, "a request for the host", sent, authority: sent)
      }
      for origin in request.fields[values: .origin] where !contains(origin: origin, host: authority) {
        return refuse(.forbidden, "a request of a page of", origin, authority: Self.authority(of: origin))
      }
      return nil
    }

    /// Returns the answer to a request that a browser sent for a page of another site, such as for a script or an image,
    /// and that names no origin; `nil` if it did not.
    ///
    /// - Parameter allowingNavigation: Whether a link of such a page may be followed.
    package func crossSiteRefusal(of request: Request, allowingNavigation: Bool = false) -> Response? {
      guard request.fields[Self.fetchSite] == "cross-site", request.fields[.origin] == nil else { return nil }
      // Not in a frame of the page.
      let isNavigation =
        request.fields[Self.fetchMode] == "navigate" && request.fields[Self.fetchDestination] == "document"
      guard !isNavigation || !allowingNavigation else { return nil }
      return refuse(.forbidden, "a request of a page of", "another site", authority: nil)
    }

    private func contains(_ authority: String, isSecure: Bool, isHost: Bool) -> Bool {
      guard let place = HostAndPort(authority) else { return false }
      let port = place.port ?? (isSecure ? 443 : 80)
      return place.isOfThisMachine || hosts.contains(place.name)
        || rules.allowed.contains { $0.name == place.name && $0.port == port }
        // The address of a page may be that of any machine.
        || isHost && takesAddresses && place.ipAddress != nil
    }

    private func contains(origin: String, host: String) -> Bool {
      guard let authority = Self.authority(of: origin) else { return false }
      return authority.lowercased() == host.lowercased()
        || contains(authority, isSecure: origin.lowercased().hasPrefix("https:"), isHost: false)
    }

    private static func authority(of origin: String) -> String? {
      origin.firstRange(of: "://").map { String(origin[$0.upperBound...]) }
    }

    /// The answer names neither the services nor the hosts that are allowed: a page may read it.
    private func refuse(
      _ status: HTTPResponse.Status,
      _ what: String,
      _ sent: String,
      authority: String?
    ) -> Response {
      let shown = Format.oneLine(String(sent.prefix(Self.shownLimit)))
      let place = sent.count > Self.shownLimit ? nil : authority.flatMap { HostAndPort($0) }
      let host = place.map { $0.isBracketed ? "[\($0.name)]" : $0.name }
      let advice = host.map { "; to allow it: \(rules.option($0))" } ?? ""
      rules.report("refused \(what) \(shown): this server answers for \(description)\(advice)")
      return Response(
        status,
        fields: [.contentType: "text/plain; charset=utf-8"],
        body: .bytes(
          Bytes(
            "refused \(what) \(shown): this server answers for its own address, for names of this machine and of its "
              + "service, and for allowed hosts\(advice)\n"
          )
        )
      )
    }

    private var description: String {
      let services = Set(rules.services.map(\.authority)).sorted()
      let more = services.count > 10 ? ["\(services.count - 10) more"] : []
      let names = [own, "names of this machine"] + services.prefix(10) + more + rules.allowed.map(\.name)
      return names.joined(separator: ", ")
    }
  }

  extension HostAndPort {
    fileprivate var isOfThisMachine: Bool { name == "::1" || name.isLoopbackHost }
  }
#endif
