/// A text with placeholders of secrets among other text: the other text is the same in each text like it.
struct PlaceholderPattern: Sendable {
  /// The placeholders, each with the text before it.
  private let pieces: [(before: [UInt8], placeholder: Placeholder)]
  /// The text behind the last placeholder.
  private let end: [UInt8]

  /// - Returns: `nil` if the text has no placeholders.
  init?(_ text: [UInt8]) {
    var (pieces, position): ([(before: [UInt8], placeholder: Placeholder)], Int) = ([], 0)
    for (range, placeholder) in Placeholder.all(in: text) {
      pieces.append((Array(text[position..<range.lowerBound]), placeholder))
      position = range.upperBound
    }
    guard !pieces.isEmpty else { return nil }
    self.pieces = pieces
    end = Array(text[position...])
  }

  var placeholders: [Placeholder] { pieces.map(\.placeholder) }

  /// Returns what stands in a text in place of each placeholder, at least an octet; `nil` if the other text is another one.
  func values(in text: [UInt8]) -> [(Placeholder, [UInt8])]? {
    guard text.starts(with: pieces[0].before) else { return nil }
    var values: [(Placeholder, [UInt8])] = []
    var position = pieces[0].before.count
    for (index, piece) in pieces.enumerated() {
      let next: Int
      if index + 1 < pieces.count {
        guard let found = text.firstOffset(of: pieces[index + 1].before, from: position + 1) else {
          return nil
        }
        next = found
        values.append((piece.placeholder, Array(text[position..<next])))
        position = next + pieces[index + 1].before.count
      } else {
        next = text.count - end.count
        guard next > position, text[next...].elementsEqual(end) else { return nil }
        values.append((piece.placeholder, Array(text[position..<next])))
      }
    }
    return values
  }

  /// Returns the text with values in place of placeholders. Those without a value stay.
  func filled(_ value: (Placeholder) -> [UInt8]?) -> [UInt8] {
    pieces.reduce(into: []) { text, piece in
      text += piece.before
      text += value(piece.placeholder) ?? Array(piece.placeholder.text.utf8)
    } + end
  }
}
