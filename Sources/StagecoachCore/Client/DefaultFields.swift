public import HTTPTypes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The default fields of a client: User-Agent, and Accept-Language if the environment names a language.
public enum DefaultFields {
  /// The version of this library in User-Agent.
  public static let libraryVersion = "0.2.0"

  /// The default fields of this process, computed once.
  public static let system: HTTPFields = fields(
    program: CommandLine.arguments.first ?? "",
    environment: { name in getenv(name).map { String(cString: $0) } }
  )

  /// Returns the default fields for a program and its environment. User-Agent has no version of the program, which the
  /// system does not know; use ``userAgent(application:version:)`` to add it.
  ///
  /// - Parameters:
  ///   - program: The path or name of the program.
  ///   - environment: Looks up an environment variable.
  public static func fields(program: String, environment: (String) -> String?) -> HTTPFields {
    var fields = HTTPFields()
    fields[.userAgent] = userAgent(application: program.split(separator: "/").last.map(String.init) ?? "")
    if let languages = acceptLanguage(environment) { fields[.acceptLanguage] = languages }
    return fields
  }

  /// Returns up to six languages with decreasing weights, in the form that AFNetworking sent.
  static func acceptLanguage(_ environment: (String) -> String?) -> String? {
    let names = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]
    guard let value = names.lazy.compactMap(environment).first(where: { !$0.isEmpty }) else { return nil }
    let tags = value.split(separator: ":").compactMap(languageTag)
    guard !tags.isEmpty else { return nil }
    return tags.prefix(6).enumerated()
      .map { index, tag in index == 0 ? "\(tag);q=1" : "\(tag);q=0.\(10 - index)" }
      .joined(separator: ", ")
  }

  /// Returns `de_DE.UTF-8@euro` as `de-DE`; `nil` for C, POSIX and anything that is not a language.
  private static func languageTag(_ locale: Substring) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard name != "C", name != "POSIX", !name.isEmpty else { return nil }
    let subtags = name.split { $0 == "_" || $0 == "-" }
    guard let language = subtags.first, language.utf8.count >= 2, language.first?.isLetter == true,
      subtags.allSatisfy({ $0.utf8.count <= 8 && $0.utf8.allSatisfy(isAlphanumeric) })
    else { return nil }
    return subtags.joined(separator: "-")
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
