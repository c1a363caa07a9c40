extension DefaultFields {
  /// Returns a User-Agent value that names an application, the system and this library, such as `Tours/2.1 (Linux;
  /// Swift 6.3) Stagecoach/0.2.0` (RFC 9110 10.1.5).
  ///
  /// Characters that are not ASCII or not allowed in a token are removed; a name or version that becomes empty is left
  /// out.
  ///
  /// ```swift
  /// client.updateDefaults { $0.fields[.userAgent] = DefaultFields.userAgent(application: "Tours", version: "2.1") }
  /// ```
  ///
  /// - Parameters:
  ///   - application: The name of the application.
  ///   - version: The version of the application, if it has one.
  public static func userAgent(application: String, version: String? = nil) -> String {
    let product = [application, version ?? ""].map { $0.filter(isTokenCharacter) }
      .prefix { !$0.isEmpty }.joined(separator: "/")
    return (product.isEmpty ? "" : "\(product) ")
      + "(\(platform); Swift \(swiftVersion)) Stagecoach/\(libraryVersion)"
  }

  private static func isTokenCharacter(_ character: Character) -> Bool {
    guard let byte = character.asciiValue else { return false }
    return isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var platform: String {
    #if os(Linux)
      "Linux"
    #elseif os(macOS)
      "macOS"
    #elseif os(iOS)
      "iOS"
    #elseif os(tvOS)
      "tvOS"
    #elseif os(watchOS)
      "watchOS"
    #elseif os(visionOS)
      "visionOS"
    #else
      "unknown"
    #endif
  }
}
