#if Tool
  import Stagecoach

  /// The authorities that a reverse proxy answers for: its own and that of its upstream.
  ///
  /// A page of another site cannot reach the proxy under a name that its author lets point to this machine.
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
    /// Whether the proxy is reached by any address of the machine.
    private let takesAddresses: Bool
    /// Whether the upstream is the proxy itself.
    let isLoop: Bool
    let description: String

    /// - Parameters:
    ///   - url: The URL of the proxy.
    ///   - upstream: The URL of the upstream.
    init(listening url: String, upstream: TargetURI) {
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
      let place = HostAndPort(upstream.authority).map { Place($0, isSecure: upstream.isSecure) }
      isLoop = !upstream.isSecure && place.map { places.contains($0) } == true
      if let place { places.insert(place) }
      self.listening = listening
      self.places = places
      takesAddresses = isWildcard
      description = "\(authority) and \(upstream.authority)"
    }

    /// Returns whether the proxy answers for the target of a request.
    func contains(_ authority: String?, isSecure: Bool) -> Bool {
      guard let authority, let parsed = HostAndPort(authority) else { return false }
      let place = Place(parsed, isSecure: isSecure)
      return places.contains(place)
        || takesAddresses && place.port == listening.port && parsed.ipAddress != nil
    }
  }
#endif
