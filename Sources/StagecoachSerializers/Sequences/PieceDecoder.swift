package import StagecoachCore

/// A reader of the pieces between delimiters.
package protocol PieceReader {
  associatedtype Element

  /// The number of elements so far.
  var count: Int { get }

  /// Reads a piece without its delimiter, at an offset in the body; `nil` if it is not an element.
  mutating func read(_ piece: UnsafeRawBufferPointer, at offset: Int64) throws -> Element?

  /// Reads the piece at the end of the body, which no delimiter ends.
  mutating func readRest(_ piece: UnsafeRawBufferPointer, at offset: Int64) throws -> Element?
}

extension PieceReader {
  package mutating func readRest(_ piece: UnsafeRawBufferPointer, at offset: Int64) throws -> Element? {
    try read(piece, at: offset)
  }
}

/// Splits the bytes of a body at delimiters and reads each piece.
package struct PieceDecoder<Reader: PieceReader>: ElementDecoder {
  private var splitter: ByteSplitter
  package private(set) var reader: Reader

  init(_ delimiter: ByteSplitter.Delimiter, limit: Int, _ reader: Reader) {
    splitter = ByteSplitter(delimiter, limit: limit)
    self.reader = reader
  }

  package var index: Int { reader.count }

  /// Whether any byte has arrived.
  package var hasReceived: Bool { splitter.received > 0 }

  package mutating func append(_ chunk: Bytes) { splitter.append(chunk) }

  package mutating func next() throws -> Reader.Element? { try splitter.next { try reader.read($0, at: $1) } }

  package mutating func finish() throws -> Reader.Element? {
    try splitter.finish { try reader.readRest($0, at: $1) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes begin with the byte order mark of UTF-8.
  var startsWithUTF8Mark: Bool {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
  }
}
