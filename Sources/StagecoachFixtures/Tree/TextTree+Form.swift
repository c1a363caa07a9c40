extension TextTree {
  /// Reads pairs of a name and a value, as in a form or a query. What has no equals sign is a value without a name.
  mutating func readForm(_ range: Range<Int>) {
    readPairs(range, separator: UInt8(ascii: "&"), .form)
  }

  /// Reads pairs `name=value`.
  mutating func readPairs(_ range: Range<Int>, separator: UInt8, _ coding: LeafCoding) {
    let text = text
    var counts = NameCounts()
    var start = range.lowerBound
    while start < range.upperBound {
      var (end, equals) = (start, -1)
      while end < range.upperBound, text[end] != separator {
        if equals < 0, text[end] == UInt8(ascii: "=") { equals = end }
        end += 1
      }
      if start < end, equals != start || equals + 1 < end {
        let name = equals < 0 ? "" : coding.text(text[start..<equals])
        add(.parameter(name, counts.next(name)), (equals < 0 ? start : equals + 1)..<end, coding)
      }
      start = end + 1
    }
  }
}
