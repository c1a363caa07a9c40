import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A download to a file that an earlier process, or a transfer that was paused or failed, has left unfinished.
public struct UnfinishedDownload: Sendable, Hashable {
  /// The URL.
  public let url: String
  /// The path of the file when it is complete; its bytes so far are in `PATH.part`, or under a shorter name if that
  /// would be too long.
  public let path: String
  /// The number of bytes that a new download goes on from; 0 if it has to start anew.
  public let bytes: Int64
  /// The number of bytes in all; `nil` if it is not known.
  public let total: Int64?

  /// The maximum number of unfinished downloads in a folder.
  static let most = 10_000

  /// Returns the unfinished downloads in a folder, by their path. Blocks.
  ///
  /// Files that are no journal, belong to another user or are in use are skipped.
  static func all(in folder: String) throws -> [UnfinishedDownload] {
    let entries: [String]
    do {
      entries = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ExchangeError(.file, "cannot read the folder \(folder)", underlying: error)
    }
    let suffix = PartialNames.journalSuffix
    let names = entries.filter { $0.hasSuffix(suffix) && $0.utf8.count > suffix.utf8.count }
    guard names.count <= most else {
      throw ExchangeError(.file, "\(folder) has more than \(most) unfinished downloads")
    }
    let found = names.compactMap { name -> UnfinishedDownload? in
      let journal = PartialFile.earlierJournal("\(folder)/\(name)")
      let path = "\(folder)/\(journal?.name ?? String(name.dropLast(suffix.count)))"
      // A journal may say anything, but not that it is that of another file.
      guard PartialNames(for: path).journal == "\(folder)/\(name)" else { return nil }
      return UnfinishedDownload(path)
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Reads what is left of a download to a path; `nil` if there is nothing, or it cannot be trusted or is in use.
  private init?(_ path: String) {
    let names = PartialNames(for: path)
    let descriptor = open(names.partial, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer {
      // A child process that is just being started may have a copy of the descriptor.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    var partial = stat()
    var journalStatus = stat()
    guard fstat(descriptor, &partial) == 0, partial.st_mode & S_IFMT == S_IFREG,
      lstat(names.journal, &journalStatus) == 0, partial.st_uid == geteuid(),
      journalStatus.st_uid == geteuid(), flock(descriptor, LOCK_SH | LOCK_NB) == 0,
      let journal = PartialFile.earlierJournal(names.journal), journal.method == "GET",
      Self.isPlain(journal.url)
    else { return nil }
    let now = TransferJournal(method: journal.method, url: journal.url, boot: MachineBoot.identifier)
    var kept = journal.kept(for: now, size: Int64(partial.st_size))
    if kept != nil { kept = Self.replacement(path, now) ?? kept }
    url = journal.url
    self.path = path
    bytes = kept?.count ?? 0
    total = (kept ?? journal.content)?.total
  }

  /// The received part of newer content, which a download continues first.
  private static func replacement(_ path: String, _ journal: TransferJournal) -> PartialContent? {
    let names = PartialNames(for: path, isReplacement: true)
    var status = stat()
    guard lstat(names.partial, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
    else { return nil }
    let kept = PartialFile.earlierJournal(names.journal)?.kept(for: journal, size: Int64(status.st_size))
    return kept.flatMap { $0.count > 0 ? $0 : nil }
  }

  /// Whether a URL is one that a journal can have: absolute, and without user information.
  private static func isPlain(_ url: String) -> Bool { (try? TargetURI(parsing: url)) != nil }
}
