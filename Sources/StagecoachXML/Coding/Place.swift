/// The place of a value.
struct Place {
  enum Kind: UInt8 {
    /// Nowhere.
    case missing
    /// Nowhere, but the element that would hold the elements of a list is there: `record`.
    case emptyList
    /// An element.
    case element
    /// An element that may itself say which case of an enumeration it is: the root, or in an array of
    /// elements of any name, whose `owner` is the element around it.
    case item
    /// An element, in `owner`, or characters that do say so.
    case choice
    /// Elements of one name; `record` is the first of them, `owner` the element they are in, or behind a path the
    /// element that the path starts in. So it is with other kinds behind a path.
    case repeated
    /// An attribute.
    case attribute
    /// Characters among elements.
    case characters
    /// Bytes of the tape, or of a text of ``DecodingSession/joined`` if `entry` is its number: `record` is the
    /// first, `owner` their number.
    case slice
    /// The characters directly in an element.
    case content
    /// The child elements of an element that no other key names.
    case rest
    /// All child elements and characters of an element.
    case nodes
    /// The place of a key that is not in the notation; `record` is the element with the key.
    case unknown
  }

  var kind: Kind
  /// The plan of the keys of which one led here, and its entry; only for ``Kind/repeated``, ``Kind/rest``,
  /// ``Kind/nodes``, ``Kind/slice`` and places behind a path.
  var plan: Int16 = -1
  var entry: Int32 = -1
  /// The record.
  var record: Int32 = -1
  var owner: Int32 = -1

  static var missing: Place { Place(.missing, -1) }

  init(_ kind: Kind, _ record: Int) {
    self.kind = kind
    self.record = Int32(truncatingIfNeeded: record)
  }

  init(slice start: Int, count: Int, of joined: Int = -1) {
    self.init(.slice, start)
    owner = Int32(truncatingIfNeeded: count)
    entry = Int32(truncatingIfNeeded: joined)
  }

  init(_ kind: Kind, _ record: Int, in owner: Int, entry: Int, of plan: KeyPlan.Reference) {
    self.init(kind, record)
    self.owner = Int32(truncatingIfNeeded: owner)
    self.entry = Int32(truncatingIfNeeded: entry)
    self.plan = Int16(truncatingIfNeeded: plan.pointee.index)
  }

  init(_ kind: Kind, _ record: Int, in owner: Int) {
    self.init(kind, record)
    self.owner = Int32(truncatingIfNeeded: owner)
  }

  /// The record.
  var index: Int { Int(UInt32(bitPattern: record)) }
}
