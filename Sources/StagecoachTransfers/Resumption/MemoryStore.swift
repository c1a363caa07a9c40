import HTTPTypes
import StagecoachCore
import Synchronization

/// Collects the content in memory for a response serializer.
final class MemoryStore<Serializer: ResponseSerializer>: PartialStore {
  private struct Kept {
    var bytes: [UInt8] = []
    var content: PartialContent?
  }

  private let serializer: Serializer
  private let kept = Mutex(Kept())
  /// The older content, replaced once the kept content is complete.
  private let replaced = Mutex<Kept?>(nil)

  init(_ serializer: Serializer) {
    self.serializer = serializer
  }

  /// Creates a store with what an archive kept.
  init(_ serializer: Serializer, kept archived: ArchivedBytes) {
    self.serializer = serializer
    kept.withLock {
      $0.bytes = Array(archived.bytes)
      $0.content = archived.content
    }
  }

  func archive(in work: inout ArchivedWork) {
    work.memory = kept.withLock { ArchivedBytes($0.content, $0.bytes) }
  }

  var name: String { serializer.name }
  var accepts: Acceptance { serializer.accepts }
  var parts: Int { 1 }
  var asksForIdentity: Bool { false }

  func open() -> PartialContent? { kept.withLock { $0.content } }

  func empty() { kept.withLock { $0 = Kept() } }

  func replace(_ content: PartialContent) {
    let old = kept.withLock { kept in
      defer { kept = Kept() }
      return kept
    }
    replaced.withLock { $0 = $0 ?? Kept(bytes: old.bytes, content: content) }
  }

  var older: PartialContent? { replaced.withLock { $0?.content } }

  func goBack() -> PartialContent? {
    guard let old = takeReplaced() else { return nil }
    kept.withLock { $0 = old }
    return old.content
  }

  private func takeReplaced() -> Kept? {
    replaced.withLock { replaced in
      defer { replaced = nil }
      return replaced
    }
  }

  func keep(_ content: PartialContent) { kept.withLock { $0.content = content } }

  func write(_ bytes: Bytes, at position: Int64) {
    kept.withLock { kept in bytes.withUnsafeBytes { kept.bytes.append(contentsOf: $0) } }
  }

  func finish(_ response: Response, _ content: PartialContent) async throws -> Serializer.Output {
    let bytes = kept.withLock { kept in
      defer { kept = Kept() }
      return kept.bytes
    }
    _ = takeReplaced()
    var whole = response
    // The last of several replies has the status of a part.
    if whole.status == .partialContent || whole.status == .rangeNotSatisfiable { whole.status = .ok }
    whole.fields[.contentRange] = nil
    // No content at all differs from content of length zero.
    whole.body = bytes.isEmpty && response.hasNoContent ? .empty : .bytes(Bytes(bytes))
    return try await serializer.serialize(whole)
  }

  func close(_ content: PartialContent?) {
    // Of two versions the newer is kept, if the rest of it can be asked for.
    if let old = takeReplaced(), content?.validator == nil || content?.count == 0 {
      kept.withLock { $0 = old }
      return
    }
    kept.withLock { kept in
      kept.content = content
      // Bytes after those that count are wrong.
      kept.bytes.removeLast(max(kept.bytes.count - Int(content?.count ?? 0), 0))
    }
  }

  func discard() { empty() }

  func limit(for options: RequestOptions) -> (bytes: Int64, option: String)? {
    (Int64(options.bodyLimit), RequestOptions.bodyLimit.name)
  }

  func renewed() -> MemoryStore<Serializer> { MemoryStore(serializer) }
}
