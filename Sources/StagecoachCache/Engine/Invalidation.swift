import HTTPTypes
import StagecoachCore
import StagecoachStages

extension CacheRules {
  /// The URLs that a response invalidates: after a success of an unsafe or unknown method the target, and of the same
  /// origin what Location and Content-Location name (RFC 9111 4.4).
  ///
  /// - Parameter url: The target as it was sent, which need not be well-formed.
  func invalidated(by response: HTTPResponse, to request: HTTPRequest, url: String) -> [String] {
    guard (200..<400).contains(response.status.code), !request.method.isSafe else { return [] }
    var urls = [url]
    guard let target = try? TargetURI(parsing: url) else { return urls }
    let others = response.headerFields.filter { $0.name == .location || $0.name == .contentLocation }
      .compactMap { try? target.resolving($0.value) }.filter { $0.isSameOrigin(as: target) }
    for other in [target] + others where !urls.contains(other.storedURL) { urls.append(other.storedURL) }
    return urls
  }
}

extension TargetURI {
  /// The URL under which responses are stored: without a fragment and a default port.
  var storedURL: String { "\(scheme)://\(authority)\(requestTarget)" }
}

extension HTTPRequest {
  /// The target of the request; nil if it is not an `http` or `https` URL.
  var targetURI: TargetURI? {
    guard let scheme, let authority, let path else { return nil }
    return try? TargetURI(parsing: "\(scheme)://\(authority)\(path)")
  }
}
