extension TextTree {
  /// Reads server-sent events: each is an `index` with the values of its lines, such as `data` and `id`.
  mutating func readEvents() {
    let text = text
    var position = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var (event, isOpen) = (0, false)
    var counts = NameCounts()
    while position < text.count {
      var end = position
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      if end == position, isOpen {
        close()
        event += 1
        isOpen = false
      }
      if end > position, text[position] != UInt8(ascii: ":") {
        if !isOpen {
          open(.index(event))
          counts = NameCounts()
          isOpen = true
        }
        let colon = text[position..<end].firstIndex(of: UInt8(ascii: ":"))
        let name = text.text(position..<(colon ?? end))
        if let colon {
          let start = colon + 1 < end && text[colon + 1] == 0x20 ? colon + 2 : colon + 1
          add(.parameter(name, counts.next(name)), start..<end)
        }
      }
      position = end + 1
      if text.has(end, { $0 == 0x0D }), text.has(position, { $0 == 0x0A }) { position += 1 }
    }
    if isOpen { close() }
  }
}
