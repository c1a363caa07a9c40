import Foundation
import Synchronization

/// What a child tells the parent, line by line in a file, so that it is there when the child is gone: `begin NAME` and
/// `end NAME WHAT`, where a name is the number of an input or a phase of the child.
final class Journal: Sendable {
  private let file: Mutex<FileHandle>

  /// Writes to a file that is there.
  init(path: String) throws {
    file = Mutex(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
  }

  func begin(_ name: String) {
    write("begin \(name)")
  }

  func end(_ name: String, _ what: String) {
    write("end \(name) \(what)")
  }

  private func write(_ line: String) {
    let printed = line.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
    // Nobody is left to be told where the parent's file is gone.
    file.withLock { try? $0.write(contentsOf: Data((String(printed.prefix(2000)) + "\n").utf8)) }
  }
}

/// The parent's side of a journal.
struct JournalReader {
  private let file: FileHandle
  private var rest = Data()
  /// The names that began and did not end, with the time when that was seen.
  private(set) var open: [String: ContinuousClock.Instant] = [:]
  /// The names that began, in order.
  private(set) var begun: [String] = []
  /// What ended, and how.
  private(set) var ended: [(name: String, what: String)] = []
  /// When something was told last.
  private(set) var latest = ContinuousClock.now

  init(path: String) throws {
    file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  }

  /// Reads what is new.
  mutating func read() throws {
    rest += try file.readToEnd() ?? Data()
    while let end = rest.firstIndex(of: 10) {
      take(String(decoding: rest[..<end], as: UTF8.self))
      rest = Data(rest[(end + 1)...])
    }
  }

  private mutating func take(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2 else { return }
    latest = .now
    if words[0] == "begin" {
      open[words[1]] = .now
      begun.append(words[1])
    } else {
      open[words[1]] = nil
      ended.append((words[1], words.count > 2 ? words[2] : ""))
    }
  }
}
