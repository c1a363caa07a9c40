import HTTPTypes
import Stagecoach
import StagecoachXML
import Synchronization

/// The peak of resident memory while the rows of a generated document are decoded, against one row.
struct XMLRecordRows {
  let quick: Bool

  struct Item: Decodable, Sendable {
    var id: Int
    var name: String
    var price: Double
  }

  func run() throws -> [Row] {
    let size = quick ? 100 : 1024
    let ours = Double(try runAgain(["--records", "--size", "\(size)"])) ?? .nan
    let peer = Double(try runAgain(["--records", "--size", "0"])) ?? .nan
    let unit = "MiB, of \(size) MiB"
    return [
      Row(
        name: "xml/records/peak-memory",
        unit: unit,
        ours: ours,
        peer: peer,
        peerName: "no rows",
        ratio: ours / peer
      )
    ]
  }

  /// Decodes the rows in this process, and tells its peak.
  ///
  /// - Parameter size: How large the document is, in MiB.
  static func peak(size: Int) async throws -> Double {
    let response = Response(.ok, body: Response.Body(source: Document(size: size << 20)))
    var count = 0
    let serializer = XMLRecordsResponseSerializer("rows/row") { try XMLDecoder().decode(Item.self, from: $0) }
    for try await item in try await serializer.serialize(response) {
      try XMLRows.check(item.id == count)
      count += 1
    }
    try XMLRows.check(size == 0 || count > size * 1000)
    return peakResidentMemory()
  }

  /// A document that is made while it is read.
  private final class Document: BodySource {
    private let size: Int
    private let state = Mutex((written: 0, rows: 0, isDone: false))

    init(size: Int) { self.size = size }

    func next() async throws -> Bytes? {
      state.withLock { state in
        guard !state.isDone else { return nil }
        var text = state.rows == 0 ? "<rows>" : ""
        while text.utf8.count < 64 * 1024, state.written + text.utf8.count < size {
          text += XMLRows.row(state.rows)
          state.rows += 1
        }
        state.written += text.utf8.count
        if state.written >= size {
          text += "</rows>"
          state.isDone = true
        }
        return Bytes(text)
      }
    }

    func cancel() { state.withLock { $0.isDone = true } }
  }
}
