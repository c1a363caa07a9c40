/// A member of Cache-Status, which tells how the cache handled a request (RFC 9211).
struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
  /// Whether a stored response was used without a request to the origin.
  var isHit = false
  /// Why the request went on.
  var forward: ForwardReason?
  /// The status that the origin answered with.
  var forwardStatus: Int?
  /// The remaining lifetime in seconds; negative if the response is stale.
  var ttl: Int?
  /// Whether the response was stored.
  var isStored = false
  /// Whether the request waited for the answer to another one.
  var isCollapsed = false
  /// More for a person; what is not printable ASCII is left out.
  var detail: String?

  /// The member, such as `Stagecoach; fwd=stale; fwd-status=304; stored`.
  var description: String {
    var text = "Stagecoach"
    if isHit { text += "; hit" }
    if let forward { text += "; fwd=\(forward.rawValue)" }
    if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
    if let ttl { text += "; ttl=\(ttl)" }
    if isStored { text += "; stored" }
    if isCollapsed { text += "; collapsed" }
    if let detail { text += "; detail=\(Self.quoted(detail))" }
    return text
  }

  /// A string of RFC 9651 3.3.3.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars where (0x20..<0x7F).contains(scalar.value) {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
