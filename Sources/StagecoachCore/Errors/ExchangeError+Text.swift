import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ExchangeError: CustomStringConvertible, LocalizedError {
  /// A complete, multi-line description of the error.
  public var description: String {
    var lines = ["\(stage.isEmpty ? "" : "\(stage): ")\(message) [\(kind)]"]
    if let request {
      let url = Redaction.url(of: request)
      lines.append("  request:  \(request.method.rawValue)\(url.isEmpty ? "" : " \(url)")")
    }
    if let response {
      var line = "  response: \(Format.status(response.status))"
      if let type = response.headerFields.first(of: .contentType) { line += ", \(type)" }
      lines.append(line)
    }
    if !bodyPrefix.isEmpty { lines.append("  body:     \(Format.excerpt(bodyPrefix, limit: 256))") }
    if let limit { lines.append("  limit:    \(limit)") }
    if let elapsed {
      var line = "  after:    \(Format.duration(elapsed))"
      if attempts > 1 { line += ", \(attempts) attempts" }
      if hops > 0 { line += ", \(hops) redirects" }
      lines.append(line)
    }
    if let cause = underlying.map(Format.describe), cause != message { lines.append("  cause:    \(cause)") }
    if let advice { lines.append("  advice:   \(advice)") }
    return lines.map(Format.oneLine).joined(separator: "\n")
  }

  /// The same text as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
