import FoundationEssentials
import GeneratedRows
import Stagecoach
import StagecoachXML
import Synchronization

/// Decodes the rows of a generated document, and prints the most memory that this process had resident, in MiB.
///
/// A program of its own: the libraries of everything else that is measured would be most of its memory. The argument is
/// the size of the document in MiB.
@main
enum Main {
  struct Item: Decodable, Sendable {
    var id: Int
    var name: String
    var price: Double
  }

  struct WrongRows: Error {}

  static func main() async throws {
    let size = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
    var count = 0
    for try await item in XML.Records<Item>(
      "rows/row",
      in: Response.Body(source: GeneratedDocument(size: size << 20))
    ) {
      guard item.id == count else { throw WrongRows() }
      count += 1
    }
    guard size == 0 || count > size * 1000 else { throw WrongRows() }
    print(peakResidentMemory())
  }

  private static func peakResidentMemory() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    let words = line.split { $0 == " " || $0 == "\t" }
    return (words.count > 1 ? Double(words[1]) ?? .nan : .nan) / 1024
  }
}
