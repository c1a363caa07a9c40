#if Tool
  import Stagecoach

  /// The authorities that a server answers for: its own, those of the services that it stands for, and those that the user
  /// allows.
  ///
  /// A page of another site cannot reach the server under a name that its author lets point to this machine.
  struct ProxyAuthorities: Sendable, CustomStringConvertible {
    private struct Place: Hashable {
      let host: String
      let port: Int

      init(host: String, port: Int) {
        self.host = host
        self.port = port
      }

      init(_ place: HostAndPort, isSecure: Bool) {
        self.init(host: place.host, port: place.port ?? (isSecure ? 443 : 80))
      }
    }

    private static let wildcards: Set<String> = ["0.0.0.0", "::"]

    private let listening: Place
    private let places: Set<Place>
    /// The hosts that the user allows at any port.
    private let hosts: Set<String>
    /// Whether the server is reached by any address of the machine.
    private let takesAddresses: Bool
    /// Whether one of the services is the server itself.
    let isLoop: Bool
    let description: String

    /// - Parameters:
    ///   - url: The URL of the server.
    ///   - services: The URLs of the services that it stands for.
    ///   - allowed: What the user allows; without a port, the host at any.
    init(listening url: String, services: [TargetURI], allowed: [HostAndPort]) {
      let authority = url.dropFirst("http://".count)
      let listening =
        HostAndPort(authority).map { Place($0, isSecure: false) } ?? Place(host: String(authority), port: 80)
      let isWildcard = Self.wildcards.contains(listening.host)
      var places: Set = [listening]
      if isWildcard || listening.host == "::1" || listening.host.isLoopbackHost {
        for host in ["localhost", "127.0.0.1", "::1"] {
          places.insert(Place(host: host, port: listening.port))
        }
      }
      let own = places
      var isLoop = false
      for service in services {
        guard let parsed = HostAndPort(service.authority) else { continue }
        let place = Place(parsed, isSecure: service.isSecure)
        if !service.isSecure, own.contains(place) { isLoop = true }
        places.insert(place)
      }
      for parsed in allowed where parsed.port != nil { places.insert(Place(parsed, isSecure: false)) }
      hosts = Set(allowed.lazy.filter { $0.port == nil }.map(\.host))
      self.isLoop = isLoop
      self.listening = listening
      self.places = places
      takesAddresses = isWildcard
      description = ([String(authority)] + services.prefix(10).map(\.authority) + allowed.map(\.host))
        .joined(separator: " and ")
    }

    /// Returns whether the server answers for the target of a request.
    func contains(_ authority: String?, isSecure: Bool) -> Bool {
      guard let authority, let parsed = HostAndPort(authority) else { return false }
      let place = Place(parsed, isSecure: isSecure)
      return places.contains(place) || hosts.contains(place.host)
        || takesAddresses && place.port == listening.port && parsed.ipAddress != nil
    }

    /// Returns whether a page of an origin may send requests: one of this machine, or of an authority that is served.
    func contains(origin: String) -> Bool {
      guard let mark = origin.firstRange(of: "://") else { return false }
      let authority = String(origin[mark.upperBound...])
      guard let parsed = HostAndPort(authority) else { return false }
      return parsed.host == "::1" || parsed.host.isLoopbackHost
        || contains(authority, isSecure: origin[..<mark.lowerBound].lowercased() == "https")
    }
  }
#endif
