#if canImport(FoundationNetworking)
  import Foundation
  import HTTPTypes
  import StagecoachCore

  /// Refuses requests that would go through an unwanted proxy: libcurl always reads the environment.
  struct ProxyGuard {
    private let setting: ProxySetting
    /// The environment by our rules, and by those of libcurl, which ignores `HTTP_PROXY` and takes `socks` for SOCKS 4
    /// (url.c, parse_proxy).
    private let asked: ProxyEnvironment
    private let taken: ProxyEnvironment

    init(_ setting: ProxySetting, environment: [String: String]) {
      self.setting = setting
      asked = ProxyEnvironment(environment)
      taken = ProxyEnvironment(
        environment.filter { $0.key != "HTTP_PROXY" }.mapValues { value in
          value.lowercased().hasPrefix("socks://") ? "socks4\(value.dropFirst(5))" : value
        }
      )
    }

    /// - Throws: `ExchangeError` of kind `unsupported` if the request would not take the configured route.
    func check(_ head: HTTPRequest) throws {
      if case .server(let proxy) = setting {
        throw refusal(
          "cannot be told to use the proxy \(proxy)",
          "name it in the environment, and ask for .environment"
        )
      }
      // The usual case; the others need the parsed authority.
      if taken.isEmpty, case .none = setting { return }
      guard let place = HostAndPort(head.authority ?? "") else { return }
      let scheme = head.scheme ?? "http"
      let port = place.port ?? (scheme == "https" ? 443 : 80)
      let way = try taken.proxy(scheme: scheme, host: place.host, port: port)
      switch setting {
      case .environment:
        let wanted = try asked.proxy(scheme: scheme, host: place.host, port: port)
        guard way != wanted else {
          // It would reach us as the response of the origin, with cookies and redirects, before the real one.
          guard scheme == "https", let way, way.origin != nil else { return }
          throw refusal(
            "cannot tell the answer of the proxy \(way) to CONNECT from the response of the origin",
            "use another transport for https through a proxy, or name the host in no_proxy"
          )
        }
        if way?.kind == .socks4, wanted?.kind == .socks5 {
          throw refusal("takes a socks:// proxy for SOCKS 4", "write its URL as socks5://host:port")
        }
        throw refusal("does not read HTTP_PROXY", "write it in lower case")
      default:
        guard let way else { return }
        throw refusal(
          "would send the request through \(way), which the environment names and the transport was told not to use",
          "ask for the proxy .environment, unset the variable, or name the host in no_proxy"
        )
      }
    }

    /// Returns the proxy that a request goes through.
    func proxy(for head: HTTPRequest) -> Proxy? {
      guard setting == .environment, let place = HostAndPort(head.authority ?? "") else { return nil }
      let scheme = head.scheme ?? "http"
      return try? taken.proxy(
        scheme: scheme,
        host: place.host,
        port: place.port ?? (scheme == "https" ? 443 : 80)
      )
    }

    /// Returns the proxy that forwards a request: libcurl uses a tunnel only for https.
    func forwarder(for head: HTTPRequest) -> Proxy? {
      guard head.scheme == "http", let proxy = proxy(for: head), proxy.origin != nil else { return nil }
      return proxy
    }

    private func refusal(_ what: String, _ advice: String) -> ExchangeError {
      ExchangeError(.unsupported, "URLSession on Linux \(what)", advice: advice)
    }
  }
#endif
