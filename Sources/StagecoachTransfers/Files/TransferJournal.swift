import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The metadata of `FILE.part` in `FILE.part.json`: the request, the version, and the ranges received.
struct TransferJournal: Codable, Equatable, Sendable {
  static let currentVersion = 1
  /// The maximum size in bytes; more is not ours.
  static let longest = 256 << 10

  var version = currentVersion
  /// The name of the file, if the names of its partial file are shortened.
  var name: String?
  /// The method and the URL of the request.
  var method: String
  var url: String
  /// The boot of the machine during which ``content`` was noted. Bytes that were written and not flushed survive the
  /// end of the process, but not of the machine.
  var boot: String
  /// The ranges received.
  var content: PartialContent?
  /// The ranges that were flushed to the disk.
  var durable: PartialContent?

  init(method: String, url: String, boot: String, name: String? = nil) {
    self.name = name
    self.method = method
    self.url = url
    self.boot = boot
  }

  /// Reads a journal; `nil` if it is none of this version, or contradicts itself.
  init?(_ bytes: [UInt8]) {
    guard let journal = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      journal.version == Self.currentVersion,
      journal.content?.isConsistent ?? true, journal.durable?.isConsistent ?? true
    else { return nil }
    self = journal
  }

  /// The text of the file.
  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// Returns what is there of a request's content.
  ///
  /// - Parameters:
  ///   - other: What the journal of the request would say.
  ///   - size: The size of the partial file.
  func kept(for other: TransferJournal, size: Int64) -> PartialContent? {
    guard method == other.method, url == other.url else { return nil }
    guard boot == other.boot else {
      guard let durable, durable.validator != nil, Self.lastByte(durable) <= size else { return nil }
      return durable
    }
    guard var content, content.validator != nil, Self.lastByte(content) <= size else { return nil }
    // One part is written in order: the file says how far it has come since the journal was written.
    if content.spans.count == 1 { content.spans[0].next = min(size, content.spans[0].end ?? size) }
    return content
  }

  /// The position after the last byte that is there.
  private static func lastByte(_ content: PartialContent) -> Int64 {
    content.spans.lazy.filter { $0.next > $0.start }.map(\.next).max() ?? 0
  }
}
