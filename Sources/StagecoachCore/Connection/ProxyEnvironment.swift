/// The proxies configured by environment variables.
///
/// - `http_proxy` and `https_proxy` apply to requests of that scheme, `all_proxy` to schemes without a variable. An
///   upper-case name is used if the lower-case one is not set. `HTTP_PROXY` is ignored if `REQUEST_METHOD` is set,
///   because under CGI a client could set it with a field `Proxy`. A value that is not a proxy URL only matters to the
///   requests that need it.
/// - `no_proxy` lists the hosts that need no proxy, separated by commas: `*` matches everything; a name, with or
///   without a leading dot, matches itself and all names below it; an IP address or a block such as `10.0.0.0/8`
///   matches addresses as they are written in a URL; each entry may end in `:port`.
public struct ProxyEnvironment: Sendable, Hashable {
  /// The content of a variable.
  private enum Entry: Hashable {
    case proxy(Proxy)
    case invalid(name: String, reason: String)

    init(name: String, value: String) {
      do {
        self = .proxy(try Proxy(value))
      } catch {
        self = .invalid(name: name, reason: (error as? ExchangeError)?.message ?? "\(error)")
      }
    }
  }

  private let http: Entry?
  private let https: Entry?
  private let exceptions: [ProxyException]

  /// Reads the proxies from environment variables.
  ///
  /// - Parameter variables: Names and values, such as `ProcessInfo.processInfo.environment`.
  public init(_ variables: [String: String]) {
    func variable(_ name: String) -> (name: String, value: String)? {
      if let value = variables[name], !value.isEmpty { return (name, value) }
      guard name != "http_proxy" || variables["REQUEST_METHOD"] == nil else { return nil }
      let name = name.uppercased()
      return variables[name].flatMap { $0.isEmpty ? nil : (name, $0) }
    }
    func entry(_ name: String) -> Entry? {
      (variable(name) ?? variable("all_proxy")).map { Entry(name: $0.name, value: $0.value) }
    }
    http = entry("http_proxy")
    https = entry("https_proxy")
    exceptions = (variable("no_proxy")?.value ?? "").split(separator: ",").compactMap { ProxyException($0) }
  }

  /// Returns the proxy for requests to an origin; `nil` for a direct connection.
  ///
  /// - Parameters:
  ///   - scheme: `http` or `https`.
  ///   - host: The host, without brackets around an IPv6 address.
  ///   - port: The port.
  /// - Throws: ``ExchangeError`` of kind `invalidRequest` that names the variable, if its value is not a valid proxy URL.
  public func proxy(scheme: String, host: String, port: Int) throws -> Proxy? {
    guard let entry = scheme == "https" ? https : http else { return nil }
    guard !exceptions.contains(where: { $0.matches(host: host.lowercased(), port: port) }) else { return nil }
    switch entry {
    case .proxy(let proxy): return proxy
    case .invalid(let name, let reason):
      throw ExchangeError(
        .invalidRequest,
        "the environment variable \(name) is unusable: \(reason)",
        advice: "write \(name) as http://host:port, or unset it"
      )
    }
  }

  /// Whether no variable names a proxy.
  public var isEmpty: Bool { http == nil && https == nil }
}

/// An entry of `no_proxy`.
struct ProxyException: Sendable, Hashable {
  private enum Hosts: Hashable {
    case all
    case name(String)
    case block(IPAddress, bits: Int)
  }

  private let hosts: Hosts
  private let port: Int?

  init?(_ text: some StringProtocol) {
    let entry = String(text.filter { !$0.isWhitespace }).lowercased()
    guard !entry.isEmpty else { return nil }
    if entry == "*" {
      (hosts, port) = (.all, nil)
    } else if let slash = entry.lastIndex(of: "/") {
      guard let address = IPAddress(entry[..<slash]), let bits = Int(entry[entry.index(after: slash)...]),
        (0...address.bytes.count * 8).contains(bits)
      else { return nil }
      (hosts, port) = (.block(address, bits: bits), nil)
    } else if let address = IPAddress(entry) {
      (hosts, port) = (.block(address, bits: address.bytes.count * 8), nil)
    } else {
      guard let place = HostAndPort(entry) else { return nil }
      port = place.port
      if let address = IPAddress(place.host) {
        hosts = .block(address, bits: address.bytes.count * 8)
      } else {
        let name = place.host.drop { $0 == "*" }.drop { $0 == "." }
        guard !name.isEmpty else { return nil }
        hosts = .name(String(name))
      }
    }
  }

  func matches(host: String, port: Int) -> Bool {
    if let wanted = self.port, wanted != port { return false }
    switch hosts {
    case .all: return true
    case .name(let name): return host == name || host.hasSuffix(".\(name)")
    case .block(let block, let bits):
      return IPAddress(host).map { $0.hasPrefix(of: block, bits: bits) } ?? false
    }
  }
}
