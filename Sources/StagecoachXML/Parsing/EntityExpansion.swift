internal import CLibXML2

/// Replaces references to the entities of a document by their text.
///
/// Left to itself libxml2 would keep the references in the tree and expand them whenever a string value
/// is asked for, without a bound. So the tree never holds one: they are replaced here, while the document
/// is parsed, at the cost of a budget.
struct EntityExpansion {
  /// The reason that a reference cannot be replaced.
  enum Failure: Error {
    case forbidden(name: String)
    case budget
  }

  /// The bytes of replacement text that may still be gone through.
  private var budget: Int

  init(budget: Int) { self.budget = budget }

  /// Returns whether the budget has this many bytes left.
  func affords(_ count: Int) -> Bool { count <= budget }

  /// Returns the cost of a reference to an entity: its size plus one, so that empty entities cannot be used without
  /// limit.
  static func cost(of entity: xmlEntityPtr) -> Int { length(entity.pointee.content) + 1 }

  /// Takes bytes from the budget; returns `false` if there are not enough left.
  mutating func spend(_ count: Int) -> Bool {
    budget -= count
    return budget >= 0
  }

  /// Appends the text of an entity to `output`.
  ///
  /// - Parameter isAttribute: Whether it becomes part of the value of an attribute, where white space of an entity is
  ///   spaces (XML 1.0, section 3.3.3).
  mutating func expand(
    _ name: UnsafePointer<xmlChar>,
    of document: xmlDocPtr?,
    into output: inout [UInt8],
    isAttribute: Bool,
    ancestors: [xmlEntityPtr] = []
  ) throws(Failure) {
    if let predefined = xmlGetPredefinedEntity(name) {
      output.append(contentsOf: bytes(predefined.pointee.content))
      return
    }
    guard let entity = xmlGetDocEntity(document, name), entity.pointee.etype == XML_INTERNAL_GENERAL_ENTITY,
      !ancestors.contains(entity), ancestors.count < 64
    else { throw .forbidden(name: String(libxml: name)) }
    let content = bytes(entity.pointee.content)
    guard spend(Self.cost(of: entity)) else { throw .budget }
    guard !content.contains(UInt8(ascii: "<")) else { throw .forbidden(name: String(libxml: name)) }
    // libxml2 2.14 leaves the ends of lines as they are. A carriage return that is meant comes by a reference.
    guard content.holds(UInt8(ascii: "\r")), !bytes(entity.pointee.orig).holds(UInt8(ascii: "#")) else {
      return try replace(
        in: content,
        of: document,
        into: &output,
        isAttribute: isAttribute,
        ancestors: ancestors + [entity]
      )
    }
    let lines = content.lineFeeds(afterReturn: false)
    try lines.withUnsafeBufferPointer { lines throws(Failure) in
      try replace(
        in: lines,
        of: document,
        into: &output,
        isAttribute: isAttribute,
        ancestors: ancestors + [entity]
      )
    }
  }

  /// Appends `text` to `output`, with its references replaced.
  mutating func replace(
    in text: UnsafeBufferPointer<UInt8>,
    of document: xmlDocPtr?,
    into output: inout [UInt8],
    isAttribute: Bool,
    ancestors: [xmlEntityPtr] = []
  ) throws(Failure) {
    // The parser has handled the white space in the document itself.
    let normalizes = isAttribute && !ancestors.isEmpty
    func append(_ literal: Slice<UnsafeBufferPointer<UInt8>>, to output: inout [UInt8]) {
      guard normalizes else { return output.append(contentsOf: literal) }
      output.append(contentsOf: literal.lazy.map { [9, 10, 13].contains($0) ? 32 : $0 })
    }
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      append(rest[..<start], to: &output)
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else {
        throw .forbidden(name: String(decoding: rest[start...], as: UTF8.self))
      }
      let name = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      if name.first == UInt8(ascii: "#") {
        guard let scalar = Self.scalar(of: name.dropFirst()) else {
          throw .forbidden(name: String(decoding: name, as: UTF8.self))
        }
        output.append(contentsOf: Array(String(Character(scalar)).utf8))
      } else {
        let terminated = Array(name) + [0]
        try expand(terminated, of: document, into: &output, isAttribute: isAttribute, ancestors: ancestors)
      }
    }
    append(rest, to: &output)
  }

  /// Returns the cost of the references in a text, without the references in the entities that they name.
  static func cost(ofReferencesIn text: UnsafeBufferPointer<UInt8>, of document: xmlDocPtr?) -> Int {
    var cost = 0
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")),
      let end = rest[start...].firstIndex(of: UInt8(ascii: ";"))
    {
      let name = Array(rest[(start + 1)..<end]) + [0]
      rest = rest[(end + 1)...]
      if xmlGetPredefinedEntity(name) == nil, let entity = xmlGetDocEntity(document, name) {
        cost += Self.cost(of: entity)
      }
    }
    return cost
  }

  /// The character of a numeric reference without `&#` and `;`.
  private static func scalar(of digits: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == UInt8(ascii: "x")
    let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard let value = UInt32(text, radix: isHexadecimal ? 16 : 10), value != 0 else { return nil }
    return Unicode.Scalar(value)
  }

  private func bytes(_ text: UnsafePointer<xmlChar>?) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text, count: length(text))
  }
}
