/// One entry of a batch: an event, or an attribute or namespace declaration of the start tag before it.
///
/// Entries have one size and refer to names and bytes of their batch, so that writing one allocates nothing. A
/// document has more of them than anything else, so they are small.
struct EventRecord: BitwiseCopyable, Sendable {
  enum Kind: UInt8, Sendable {
    case startDocument
    case endDocument
    /// Followed by its namespace declarations, then its attributes.
    case startElement
    case endElement
    /// The prefix is the name, the namespace the bytes.
    case namespace
    case attribute
    case text
    case cdata
    case comment
    /// The target is the name.
    case processingInstruction
  }

  /// The maximum number of names.
  static let nameLimit = 1 << 24

  /// The position of the bytes: text, the value of an attribute or a namespace; for other records the position where
  /// they would be.
  var start: UInt32
  /// The number of bytes, or the end of the element.
  private var size: UInt32
  /// The line, from 1.
  var line: UInt32
  private let lowName: UInt16
  private let highName: UInt8
  let kind: Kind

  /// - Parameters:
  ///   - kind: What it is.
  ///   - name: The index of its name, below ``nameLimit``.
  ///   - start: Where its bytes are.
  ///   - count: How many there are.
  ///   - line: The line, from 1.
  @inline(__always)
  init(_ kind: Kind, name: Int, start: Int, count: Int, line: UInt32) {
    self.kind = kind
    self.start = UInt32(truncatingIfNeeded: start)
    size = UInt32(truncatingIfNeeded: count)
    self.line = line
    lowName = UInt16(truncatingIfNeeded: name)
    highName = UInt8(truncatingIfNeeded: name >> 16)
  }

  /// The index of the name in the batch's table.
  var name: UInt32 {
    @inline(__always) get { UInt32(lowName) | UInt32(highName) << 16 }
  }

  /// The number of bytes, for records with bytes.
  var count: UInt32 {
    @inline(__always) get { size }
    @inline(__always) set { size = newValue }
  }

  /// Of a start tag the index of the first record behind its element, 0 if that is not in this batch.
  var next: UInt32 {
    @inline(__always) get { size }
    @inline(__always) set { size = newValue }
  }

  /// The end of the bytes of this record and of those before it.
  var end: Int { Int(start) + (kind == .startElement ? 0 : Int(size)) }
}
