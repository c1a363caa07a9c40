#if canImport(FoundationNetworking)
  import Foundation
  import HTTPTypes
  import StagecoachCore

  /// Refuses requests that would go through an unwanted proxy: libcurl always reads the environment.
  struct ProxyGuard {
    private let setting: ProxySetting
    /// The environment by our rules, and by those of libcurl, which ignores `HTTP_PROXY`.
    private let asked: Result<ProxyEnvironment, any Error>
    private let taken: Result<ProxyEnvironment, any Error>

    init(_ setting: ProxySetting, environment: [String: String]) {
      self.setting = setting
      asked = Result { try ProxyEnvironment(environment) }
      taken = Result { try ProxyEnvironment(environment.filter { $0.key != "HTTP_PROXY" }) }
    }

    /// - Throws: `ExchangeError` of kind `unsupported` if the request would not take the configured route.
    func check(_ head: HTTPRequest) throws {
      if case .server(let proxy) = setting {
        throw refusal(
          "cannot be told to use the proxy \(proxy)",
          "name it in the environment, and ask for .environment"
        )
      }
      guard let taken = try? taken.get() else {
        throw refusal("would use the proxy of the environment, whose URL is not valid", "correct or unset it")
      }
      // The usual case; the others need the parsed authority.
      if taken.isEmpty, case .none = setting { return }
      guard let place = HostAndPort(head.authority ?? "") else { return }
      let scheme = head.scheme ?? "http"
      let port = place.port ?? (scheme == "https" ? 443 : 80)
      let way = taken.proxy(scheme: scheme, host: place.host, port: port)
      switch setting {
      case .environment:
        let wanted = try asked.get().proxy(scheme: scheme, host: place.host, port: port)
        guard way != wanted else { return }
        throw refusal("does not read HTTP_PROXY", "write it in lower case")
      default:
        guard let way else { return }
        throw refusal(
          "would send the request through \(way), which the environment names and the transport was told not to use",
          "ask for the proxy .environment, unset the variable, or name the host in no_proxy"
        )
      }
    }

    /// Returns the proxy that forwards a request: libcurl uses a tunnel only for https.
    func forwarder(for head: HTTPRequest) -> Proxy? {
      guard setting == .environment, head.scheme == "http", let place = HostAndPort(head.authority ?? "")
      else {
        return nil
      }
      let proxy = try? taken.get().proxy(scheme: "http", host: place.host, port: place.port ?? 80)
      return proxy?.origin == nil ? nil : proxy
    }

    private func refusal(_ what: String, _ advice: String) -> ExchangeError {
      ExchangeError(.unsupported, "URLSession on Linux \(what)", advice: advice)
    }
  }
#endif
