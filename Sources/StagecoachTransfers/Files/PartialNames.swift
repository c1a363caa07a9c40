import StagecoachCore

/// The names of the files of an unfinished download, beside the file that it is to become: `FILE.part` holds its bytes,
/// and `FILE.part.json` is its journal. A reply that replaces what is there is written to `FILE.part2` until it is
/// complete.
///
/// Of a name of more than 240 bytes, the start and a hash stand for `FILE`, so that the names do not become too long.
package struct PartialNames: Sendable, Equatable {
  /// The path of the bytes.
  package let partial: String
  /// The path of the journal.
  let journal: String
  /// The name of the file; `nil` if the names contain it.
  let shortened: String?

  /// The end of the name of a journal.
  static let journalSuffix = ".part.json"

  /// The longest name that is used as it is: the end of the longest name is `.part2.json.new`.
  private static let longestStem = FilePlacement.longestName - 15

  /// Creates the names for a path.
  ///
  /// - Parameters:
  ///   - path: The path of the complete file.
  ///   - isReplacement: Whether the bytes are those of a reply that replaces what is there.
  package init(for path: String, isReplacement: Bool = false) {
    let start =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let name = path[start...]
    var stem = name
    var end = isReplacement ? ".part2" : ".part"
    if name.utf8.count > Self.longestStem {
      end = "~" + String(SHA256.hash(name.utf8).hexadecimal.prefix(16)) + end
      while stem.utf8.count > Self.longestStem - 17 { stem.removeLast() }
      shortened = String(name)
    } else {
      shortened = nil
    }
    partial = "\(path[..<start])\(stem)\(end)"
    journal = partial + ".json"
  }
}
