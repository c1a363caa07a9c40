import HTTPTypes
import StagecoachCore
import StagecoachStages

/// Whose stored responses a request may get.
enum CachePartition {
  /// Returns a hash of all that decides who answers, and whom; empty if that is nothing but the URL.
  static func of(_ request: Request, _ origin: TargetURI.Origin, isShared: Bool, _ salt: Bytes) -> String {
    // A private cache keeps what a shared one over the same store must not give to others.
    var parts = isShared ? ["shared"] : []
    if let own = request.options.cachePartition {
      parts.append("partition \(own)")
    } else if !isShared {
      if let user = request.options.authenticatedUser {
        parts.append("user \(user)")
      } else if let field = request.fields.first(of: .authorization) {
        parts.append("authorization \(field)")
      }
    }
    if let peer = request.options.peer(for: origin.host) { parts.append("peer \(peer)") }
    guard !parts.isEmpty else { return "" }
    return Concealment.hash(parts.joined(separator: "\n"), salt)
  }
}

/// Replaces values that must not be readable in a store by salted hashes.
struct Concealment: Sendable {
  private let request: Request
  private let salt: Bytes

  init(_ request: Request, _ salt: Bytes) {
    self.request = request
    self.salt = salt
  }

  /// Returns what is kept of the value of a sensitive request field; `nil` for other fields.
  func callAsFunction(_ name: String, _ value: String) -> String? {
    guard let fieldName = HTTPField.Name(name), SensitiveFields.of(request).contains(fieldName) else {
      return nil
    }
    return "#" + Self.hash("\(name): \(value)", salt)
  }

  static func hash(_ text: String, _ salt: Bytes) -> String {
    var hash = SHA256()
    hash.update(salt)
    hash.update(Bytes(text))
    return hash.digest().prefix(16).hexadecimal
  }
}
