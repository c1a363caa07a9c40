import HTTPTypes
import StagecoachCore

/// The fields that are removed for the next hop.
enum RedirectFields {
  /// The fields that describe the content, which are removed together with it.
  static let ofContent = names([
    "Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Content-Length",
    "Content-Range", "Content-Disposition", "Digest", "Content-Digest", "Repr-Digest", "Transfer-Encoding",
    "Trailer", "Expect", "Last-Modified",
  ])

  /// The fields that are set anew for each hop: the host, the proxy's credentials, and connection-specific fields (RFC
  /// 9110 7.6.1).
  static let ofHop = names([
    "Host", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Transfer-Encoding",
    "Upgrade",
  ])

  /// Preconditions, which go when the method changes: what they ask of a PUT is not asked of a GET. With the same
  /// method they stay, to other origins too: a PUT without its If-Match could overwrite the work of another.
  static let ofMethod = names(["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"])

  private static func names(_ names: [String]) -> Set<HTTPField.Name> {
    Set(names.compactMap { HTTPField.Name($0) })
  }
}
