/// The distribution of a Linux system, from os-release(5).
enum LinuxDistribution {
  /// The name and version of this system, such as `Debian 12`, read once; `nil` if they are unknown.
  static let current: String? = {
    // The first file that exists is used.
    for path in ["/etc/os-release", "/usr/lib/os-release"] {
      guard let content = try? Descriptor.read(path, limit: 64 * 1024) else { continue }
      return name(osRelease: String(decoding: content, as: UTF8.self))
    }
    return nil
  }()

  /// Returns the name and version from the text of an os-release file. Removes a trailing "Linux" from the name, and
  /// characters that are not allowed in the comment of a User-Agent.
  static func name(osRelease text: String) -> String? {
    var values: [Substring: String] = [:]
    for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let line = Substring(line)
      guard let equals = line.firstIndex(of: "=") else { continue }
      values[line[..<equals]] = value(line[line.index(after: equals)...])
    }
    var words = values["NAME"]?.split(separator: " ") ?? []
    while let last = words.last, ["GNU/Linux", "Linux"].contains(last) { words.removeLast() }
    guard !words.isEmpty else { return nil }
    words += values["VERSION_ID"]?.split(separator: " ") ?? []
    return String(words.joined(separator: " ").prefix(64))
  }

  /// Returns a value without its quotes, keeping only characters that never need escaping.
  private static func value(_ text: Substring) -> String {
    text.filter { character in
      guard let byte = character.asciiValue else { return false }
      return DefaultFields.isAlphanumeric(byte) || " -._+/".utf8.contains(byte)
    }
  }
}
