import StagecoachFormats

/// The ends of the names of body files, so that viewers know what they show.
enum FileExtension {
  /// Of types with several ends, and of types without one of their own.
  private static let preferred = [
    "image/jpeg": "jpg", "text/html": "html", "text/javascript": "js", "audio/ogg": "ogg",
    "application/gzip": "gz",
    "text/xml": "xml", "application/octet-stream": "bin", "application/x-www-form-urlencoded": "form.txt",
  ]

  private static let byType = Dictionary(
    MediaType.byExtension.sorted { $0.key < $1.key }.map { ($0.value, $0.key) },
    uniquingKeysWith: { first, _ in first }
  )

  static func of(_ body: Scenario.Body) -> String {
    guard let type = body.type.flatMap({ MediaType($0) }) else { return "bin" }
    let name = type.essence.description
    if let known = preferred[name] ?? byType[name] { return known }
    switch type.suffix {
    case "json": return "json"
    case "xml": return "xml"
    default: return type.type == "text" ? "txt" : "bin"
    }
  }
}
