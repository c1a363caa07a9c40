import StagecoachFormats

extension TextTree {
  /// Reads content by its media type; without one, by its first characters.
  ///
  /// Nothing is refused: what can be read of broken content is read. The time is linear in the size.
  init(content: [UInt8], _ type: MediaType?) { self.init(content: content, type, level: 0) }

  init(content: [UInt8], _ type: MediaType?, level: Int) {
    self.init(content, as: ContentFormat(type, content), level: level)
  }

  /// Reads content of a format.
  init(_ content: [UInt8], as format: ContentFormat, level: Int = 0) {
    self.init(content, level: level)
    switch format {
    case .json: readJSON()
    case .jsonSequence: readJSON(isSequence: true)
    case .form: readForm(text.indices)
    case .xml: readMarkup(isHTML: false)
    case .html: readMarkup(isHTML: true)
    case .events: readEvents()
    case .multipart(let boundary): readMultipart(boundary)
    case .code: addText(.code)
    case .text: addText(.configuration)
    case .binary: if !content.isEmpty { add(.characters(0), Leaf(content.indices, content)) }
    }
  }

  /// Adds a text without a syntax as one leaf.
  private mutating func addText(_ style: AssignmentReader.Style) {
    let range = text.trimmed(text.indices)
    if !range.isEmpty { add(.characters(0), range, style: style) }
  }

  /// Adds the leaf that is written in a range, with what its value contains.
  mutating func add(
    _ step: Step,
    _ range: Range<Int>,
    _ coding: LeafCoding = .plain,
    _ type: Leaf.ValueType = .text,
    style: AssignmentReader.Style = .value
  ) {
    var (coding, (value, isExact)) = (coding, coding.decode(text[range]))
    if !isExact, let bare = coding.withBareAmpersands { (coding, isExact) = (bare, true) }
    var inner = type == .text && isExact ? InnerText.read(value, in: level, style) : nil
    // What is no UTF-8 cannot be written as JSON.
    if coding == .json, inner != nil, String(validating: value, as: UTF8.self) == nil { inner = nil }
    add(step, Leaf(range, value, type, coding, inner: inner))
  }
}
