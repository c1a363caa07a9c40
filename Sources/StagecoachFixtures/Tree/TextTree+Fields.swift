import HTTPTypes
import StagecoachFormats

extension TextTree {
  /// Reads the value of a field. Its steps begin with the name in lower case and the position among the fields with the
  /// same name.
  init(fields: HTTPFields, at index: Int) {
    let name = fields[index].name
    self.init(field: fields[index], number: fields[..<index].count { $0.name == name })
  }

  /// - Parameter number: How many fields with the same name come before this one.
  init(field: HTTPField, number: Int) {
    self.init(field.octets)
    let name = field.name.canonicalName
    let range = text.trimmed(text.indices)
    open(.parameter(name, number))
    switch name {
    case "authorization", "proxy-authorization": readCredentials(range)
    case "www-authenticate", "proxy-authenticate": readChallenges(range)
    case "authentication-info", "proxy-authentication-info":
      readParameters(range, separator: UInt8(ascii: ","))
    case "cookie": readCookies(range)
    case "set-cookie": readSetCookie(range)
    case "location", "content-location", "referer":
      add(.characters(0), Leaf(range, Array(text[range]), inner: .target(Array(text[range]), in: level)))
    case "link": readLinks(range)
    case "content-disposition", "content-type": readParameters(range, separator: UInt8(ascii: ";"))
    default: add(.characters(0), range)
    }
    close()
  }

  /// Reads `name=value` and `name="value"` between separators. What has no equals sign is `characters`.
  mutating func readParameters(_ range: Range<Int>, separator: UInt8) {
    let text = text
    var (counts, alone) = (NameCounts(), 0)
    var position = range.lowerBound
    while position < range.upperBound {
      guard let item = parameter(in: position..<range.upperBound, separator: separator) else {
        let end = text[position..<range.upperBound].firstIndex(of: separator) ?? range.upperBound
        let value = text.trimmed(position..<end)
        if !value.isEmpty {
          add(.characters(alone), value)
          alone += 1
        }
        position = end + 1
        continue
      }
      let name = text.text(item.name)
      add(.parameter(name, counts.next(name)), item.value, item.coding)
      position =
        text[item.end..<range.upperBound].firstIndex(of: separator).map { $0 + 1 } ?? range.upperBound
    }
  }

  /// Returns the parameter that a range begins with, after white space.
  func parameter(
    in range: Range<Int>,
    separator: UInt8
  ) -> (name: Range<Int>, value: Range<Int>, coding: LeafCoding, end: Int)? {
    let text = text
    func skipSpace(_ position: Int) -> Int {
      var position = position
      while position < range.upperBound, text[position].isSpace { position += 1 }
      return position
    }
    let start = skipSpace(range.lowerBound)
    var position = start
    while position < range.upperBound, text[position].isTokenOctet { position += 1 }
    let name = start..<position
    position = skipSpace(position)
    guard !name.isEmpty, position < range.upperBound, text[position] == UInt8(ascii: "=") else { return nil }
    position = skipSpace(position + 1)
    guard position < range.upperBound, text[position] == UInt8(ascii: "\"") else {
      let end = text[position..<range.upperBound].firstIndex(of: separator) ?? range.upperBound
      return (name, text.trimmed(position..<end), .plain, end)
    }
    var end = position + 1
    while end < range.upperBound, text[end] != UInt8(ascii: "\"") {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    end = min(end, range.upperBound)
    return (name, (position + 1)..<end, .quoted, min(end + 1, range.upperBound))
  }

  /// Reads `<target>; name=value, <target>`.
  private mutating func readLinks(_ range: Range<Int>) {
    let text = text
    var (position, index) = (range.lowerBound, 0)
    while let start = text[position..<range.upperBound].firstIndex(of: UInt8(ascii: "<")) {
      let end = text[start..<range.upperBound].firstIndex(of: UInt8(ascii: ">")) ?? range.upperBound
      let value = Array(text[(start + 1)..<end])
      open(.index(index))
      add(.characters(0), Leaf((start + 1)..<end, value, inner: .target(value, in: level)))
      position = min(end + 1, range.upperBound)
      var counts = NameCounts()
      while position < range.upperBound, text[position] == UInt8(ascii: ";") || text[position].isSpace {
        position += 1
        guard let item = parameter(in: position..<range.upperBound, separator: UInt8(ascii: ";")) else {
          continue
        }
        let isBare = item.coding == .plain
        // The value of a parameter without quotes also ends where the next link begins.
        let value = isBare ? text[item.value].prefix { $0 != UInt8(ascii: ",") }.indices : item.value
        let name = text.text(item.name)
        add(.parameter(name, counts.next(name)), value, item.coding)
        position = isBare ? value.upperBound : item.end
      }
      close()
      index += 1
    }
  }
}
