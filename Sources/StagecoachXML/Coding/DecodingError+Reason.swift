extension DecodingError {
  /// The reason with the path in the value; the position in the document is part of the reason.
  var reason: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "\(self)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? context.debugDescription : "$\(path): \(context.debugDescription)"
  }
}
