/// One entry of a batch: an event, or an attribute or namespace declaration of the start tag before it.
///
/// Entries have one size and refer to names and bytes of their batch, so that writing one allocates nothing.
struct EventRecord: Sendable {
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

  /// Where the bytes are: text, the value of an attribute or a namespace.
  var start: UInt32
  /// How many bytes there are.
  var count: UInt32
  /// The index of the name in the batch's table.
  var name: UInt32
  /// Of a start tag the index of the first record behind its element, 0 if that is not in this batch; of other
  /// records 0.
  var next: UInt32
  /// The line, from 1.
  var line: UInt32
  var kind: Kind
}
