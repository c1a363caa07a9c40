#if AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachConformance

  extension Fault {
    /// Connections: their number, their reuse, and the information about them.
    static let connections: [Fault] = [
      .sending("each request opens a new connection", noticedBy: ["082": "there were 5 connections"]) {
        parts in
        { try await parts.another().send($0) }
      },
      .setup("the number of connections is doubled", noticedBy: ["087": "4 requests were under way"]) {
        $0.connections.connectionsPerOrigin *= 2
      },
      .setup("there is one connection at most", noticedBy: ["087": "1 requests were under way"]) {
        $0.connections.connectionsPerOrigin = 1
      },
      .setup("idle connections are kept for a minute", noticedBy: ["088": "did not end"], within: .seconds(4))
      {
        $0.connections.idleTimeout = .seconds(60)
      },
      .response("what comes late is a part of each response", noticedBy: ["086d": "there is a field X-Junk"])
      {
        $0.fields.append(HTTPField(name: HTTPField.Name("X-Junk")!, value: "HTTP/1.1 200 OK"))
      },
      .request("networkUse.newConnection is ignored", noticedBy: ["083b": "the connections served"]) {
        $0.options.networkUse = nil
      },
      .request("Connection: close is not sent", noticedBy: ["083": "of the client"]) {
        $0.fields[.connection] = nil
      },
      .response("isReused is always false", noticedBy: ["092i": "it tells"]) {
        $0.connection?.isReused = false
      },
      .response("the duration of connecting is missing", noticedBy: ["092i": "of a new connection it tells"])
      {
        $0.connection?.connecting = nil
      },
      .response(
        "each response has the duration of connecting",
        noticedBy: ["092i": "connection that was there it tells"]
      ) {
        $0.connection?.connecting = .milliseconds(1)
      },
      .response(
        "the remote address is that of another peer",
        noticedBy: ["092i": "the address of the peer is said to be"]
      ) {
        $0.connection?.remoteAddress = "192.0.2.1:80"
      },
      .response("the information about the connection is missing", noticedBy: ["092i": "it tells nil"]) {
        $0.connection = nil
      },
      .setup("the Unix socket is ignored", noticedBy: ["092c": "nameResolution"]) {
        $0.connections.unixSocket = nil
      },
      .setup("the given address of a host is ignored", noticedBy: ["092d": "could not be resolved"]) {
        $0.connections.addresses = [:]
      },
      .setup("the given address of this machine is ignored", noticedBy: ["092f": "the connections come from"])
      {
        $0.connections.localAddress = nil
      },
      .setup(
        "the proxy is ignored",
        noticedBy: ["086c": "could not be resolved", "092g": "could not be resolved"]
      ) {
        $0.connections.proxy = .none
      },
      .sending(
        "a proxy that refuses is asked again",
        noticedBy: ["092k": "the proxy was asked 2 times", "092n": "the proxy was asked 2 times"]
      ) { parts in
        { request in
          do {
            return try await parts.inner.send(request)
          } catch let error as ExchangeError where error.kind == .proxyRefused {
            return try await parts.inner.send(request)
          }
        }
      },
      .setup(
        "the name and the password of the proxy are decoded once more",
        noticedBy: ["092o": "a%41 and b%42 came as"]
      ) {
        guard case .server(var proxy) = $0.connections.proxy else { return }
        proxy.user = proxy.user.map { $0.removingPercentEncoding ?? $0 }
        proxy.password = proxy.password.map { $0.removingPercentEncoding ?? $0 }
        $0.connections.proxy = .server(proxy)
      },
      .setup("HTTP/2 is never spoken", noticedBy: ["107c": "closed the connection before it answered"]) {
        $0.connections.versions = .http1
      },
      .setup("HTTP/2 is spoken though it is not allowed", noticedBy: ["107c": "HTTP/2 was spoken though"]) {
        $0.connections.versions = [.http1, .http2]
      },
      .sending("all requests share the connections of the first origin", noticedBy: ["089": "connections"]) {
        parts in
        let first = FirstValue<String?>()
        return { request in
          var request = request
          request.head.authority = first.value(request.head.authority)
          return try await parts.inner.send(request)
        }
      },
      .sending(
        "https becomes http where TLS fails",
        noticedBy: ["104e": "it was answered with 400", "089b": "it was answered with 200"]
      ) {
        parts in
        { request in
          do {
            return try await parts.inner.send(request)
          } catch let error as ExchangeError {
            guard case .tls = error.kind else { throw error }
            var request = request
            request.head.scheme = "http"
            return try await parts.inner.send(request)
          }
        }
      },
    ]
  }
#endif
