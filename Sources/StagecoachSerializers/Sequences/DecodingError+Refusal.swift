import StagecoachCore

extension DecodingError {
  /// Describes that a value cannot be decoded as a type, with the place in the body and the reason.
  func refusal(of type: String) -> String {
    let (path, reason) =
      switch self {
      case .typeMismatch(let wanted, let context): (context.codingPath, "not a \(wanted)")
      case .valueNotFound(let wanted, let context): (context.codingPath, "null instead of a \(wanted)")
      case .keyNotFound(let key, let context):
        (context.codingPath, "no member \"\(Format.oneLine(key.stringValue))\"")
      case .dataCorrupted(let context): (context.codingPath, Format.oneLine(context.debugDescription))
      @unknown default: ([], Format.describe(self))
      }
    let place = path.reduce(into: "$") { text, key in
      text += key.intValue.map { "[\($0)]" } ?? ".\(Format.oneLine(key.stringValue))"
    }
    return "cannot be decoded as \(type): at \(place), \(reason)"
  }
}
