import StagecoachFormats

/// The layout of a manifest: two spaces a level; an array or object of plain values stands on one line if it fits.
enum ManifestText {
  private static let width = 110

  static func bytes(of value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    write(value, level: 0, to: &output)
    output.append(0x0a)
    return output
  }

  private static func write(_ value: JSONValue, level: Int, to output: inout [UInt8]) {
    if let line = line(value) { return output += line }
    let indentation = [UInt8](repeating: 0x20, count: 2 * level + 2)
    func next(_ isFirst: Bool, _ output: inout [UInt8]) {
      output += isFirst ? [0x0a] : [UInt8(ascii: ","), 0x0a]
      output += indentation
    }
    switch value {
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        next(index == 0, &output)
        write(element, level: level + 1, to: &output)
      }
      output += [0x0a] + indentation.dropLast(2) + [UInt8(ascii: "]")]
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        next(index == 0, &output)
        output += JSONValue.string(member.key).serialized() + Array(": ".utf8)
        write(member.value, level: level + 1, to: &output)
      }
      output += [0x0a] + indentation.dropLast(2) + [UInt8(ascii: "}")]
    case .null, .bool, .number, .string: output += value.serialized()
    }
  }

  /// The value on one line; `nil` if it has to be broken.
  private static func line(_ value: JSONValue) -> [UInt8]? {
    var output: [UInt8] = []
    switch value {
    case .null, .bool, .number, .string: return value.serialized()
    case .array(let elements):
      guard elements.allSatisfy(\.isPlain) else { return nil }
      output =
        [UInt8(ascii: "[")] + elements.map { $0.serialized() }.joined(separator: ", ".utf8) + [
          UInt8(ascii: "]")
        ]
    case .object(let object):
      guard object.members.allSatisfy(\.value.isPlain) else { return nil }
      let members = object.members.map {
        JSONValue.string($0.key).serialized() + ": ".utf8 + $0.value.serialized()
      }
      output =
        members.isEmpty
        ? Array("{}".utf8) : Array("{ ".utf8) + members.joined(separator: ", ".utf8) + " }".utf8
    }
    return output.count <= width ? output : nil
  }
}

extension JSONValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .number, .string: true
    case .array, .object: false
    }
  }
}
