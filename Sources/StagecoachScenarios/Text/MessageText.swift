package import HTTPTypes
internal import StagecoachFormats

/// A message of HTTP/1 as text: a line, fields, an empty line, content. Lines end with LF, or with CR and LF.
package struct MessageText {
  /// An error at an offset of the text.
  package struct Failure: Error {
    package let offset: Int
    package let message: String

    package init(offset: Int, message: String) {
      self.offset = offset
      self.message = message
    }
  }

  /// The first line: of a request, or a status.
  package let firstLine: String
  package let fields: HTTPFields
  /// The offset of the content.
  package let contentStart: Int

  /// Reads the head of a message.
  ///
  /// - Parameter text: The text from the first line on; its indices are the offsets.
  package init(_ text: ArraySlice<UInt8>) throws(Failure) {
    var rest = text
    firstLine = String(decoding: Self.line(&rest), as: UTF8.self)
    var pairs: [(name: HTTPField.Name, value: [UInt8])] = []
    while !rest.isEmpty {
      let offset = rest.startIndex
      let line = Self.line(&rest)
      guard !line.isEmpty else { break }
      // A value that goes on (RFC 9112 5.2).
      if line[line.startIndex].isBlankInField, !pairs.isEmpty {
        pairs[pairs.count - 1].value += [0x20] + line.trimmed
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
      else {
        throw Failure(
          offset: offset,
          message: "expected a field NAME: VALUE, or an empty line before the content"
        )
      }
      pairs.append((name, Array(line[line.index(after: colon)...].trimmed)))
      guard HTTPField.isValidValue(pairs[pairs.count - 1].value) else {
        throw Failure(offset: offset, message: "the value has octets that no field may have")
      }
    }
    fields = HTTPFields(pairs.map { HTTPField(name: $0.name, value: $0.value) })
    contentStart = rest.startIndex
  }

  /// The number of the line of an offset.
  package static func line(of offset: Int, in text: [UInt8]) -> Int {
    text.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }

  /// Takes a line, without its end.
  package static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let line = rest[..<end]
    rest = rest[min(end + 1, rest.endIndex)...]
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

}

extension MessageText {
  /// The head of a response; `nil` if the first line is none of a response.
  package var response: (head: HTTPResponse, version: String)? {
    guard firstLine.hasPrefix("HTTP/") else { return nil }
    let parts = firstLine.dropFirst(5).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[1].utf8.count == 3, let code = Int(parts[1]), (100...999).contains(code),
      parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }), !parts[0].isEmpty
    else { return nil }
    let reason =
      parts.count > 2 ? String(decoding: ArraySlice(parts[2].utf8).trimmed, as: UTF8.self) : ""
    let status = HTTPResponse.Status(code: code, reasonPhrase: HTTPField.isValidValue(reason) ? reason : "")
    let version = parts[0].contains(".") ? String(parts[0]) : "\(parts[0]).0"
    return (HTTPResponse(status: status, headerFields: fields), version)
  }
}
