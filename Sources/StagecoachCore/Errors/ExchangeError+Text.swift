import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ExchangeError: CustomStringConvertible, LocalizedError {
  /// A complete, multi-line description of the error.
  public var description: String {
    let (message, list) = messageAndList
    var lines = ["\(stage.isEmpty ? "" : "\(stage): ")\(message) [\(kind)]"] + list.map { "  \($0)" }
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
    if let cause = underlying as? ExchangeError, cause.hasList {
      let inner = cause.description.split(separator: "\n")
      lines += ["  cause:    \(inner.first ?? "")"] + inner.dropFirst().map { "  \($0)" }
    } else if let cause = underlying.map(Format.describe), !message.contains(cause) {
      lines.append("  cause:    \(cause)")
    }
    if let advice { lines.append("  advice:   \(advice)") }
    return lines.map(Format.oneLine).joined(separator: "\n")
  }

  /// Whether the message is a list, or that of a cause.
  private var hasList: Bool {
    if case .stageFailure(is any ListingStageFailure) = kind { return true }
    return (underlying as? ExchangeError)?.hasList == true
  }

  /// The message, and the lines below it where it is a list.
  private var messageAndList: (String, [Substring]) {
    guard case .stageFailure(is any ListingStageFailure) = kind else { return (message, []) }
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.first.map(String.init) ?? message, Array(lines.dropFirst()))
  }

  /// The same text as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
