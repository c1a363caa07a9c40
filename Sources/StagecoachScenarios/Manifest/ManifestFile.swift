/// The file of a manifest, and the names that it may give to the files beside it.
enum ManifestFile {
  static let name = "scenario.json"

  /// Whether a name leads to a file in the folder, whatever the folder has.
  static func mayHave(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 255, name != Self.name else { return false }
    return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.first != "."
        && !part.utf8.contains { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }
    }
  }
}
