import HTTPTypes

/// Which fields do not go along to the next hop.
enum RedirectFields {
  /// What speaks of the content, and goes when the content does.
  static let ofContent = names([
    "Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Content-Length",
    "Content-Range", "Content-Disposition", "Digest", "Content-Digest", "Repr-Digest", "Transfer-Encoding",
    "Trailer", "Expect", "Last-Modified",
  ])

  /// What is made anew for each hop: the host, the proxy's credentials, and what is for one connection
  /// (RFC 9110 7.6.1).
  static let ofHop = names([
    "Host", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Transfer-Encoding",
    "Upgrade",
  ])

  /// Preconditions, which go when the method changes: what they ask of a PUT is not asked of a GET. With the same
  /// method they stay, to other origins too: a PUT without its If-Match could overwrite the work of another.
  static let ofMethod = names(["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"])

  /// What is for one origin, besides the fields that the caller has marked.
  static let ofOrigin = names(["Authorization", "Cookie", "Proxy-Authorization", "Origin", "Referer"])

  /// What of a request is for one origin: what always is, what the caller has marked, and what is called a secret.
  static func sensitive(of request: Request) -> Set<HTTPField.Name> {
    ofOrigin.union(request.options.sensitiveFields).union(called(in: request.fields))
  }

  /// What is called a secret.
  static func called(in fields: HTTPFields) -> [HTTPField.Name] {
    fields.map(\.name).filter { SecretNames.contains($0) }
  }

  private static func names(_ names: [String]) -> Set<HTTPField.Name> {
    Set(names.compactMap { HTTPField.Name($0) })
  }
}

extension HTTPFields {
  /// Takes out all fields of some names; the others keep their order.
  ///
  /// - Returns: The names that were there, each once.
  @discardableResult
  mutating func remove(_ names: Set<HTTPField.Name>) -> [HTTPField.Name] {
    var removed: [HTTPField.Name] = []
    for field in self where names.contains(field.name) && !removed.contains(field.name) {
      removed.append(field.name)
    }
    if !removed.isEmpty { self = filter { !removed.contains($0.name) } }
    return removed
  }
}
