#if AsyncHTTPClient
  import NIOHTTP1

  extension HTTPHeaders {
    /// Trims spaces and tabs around values, which are not a part of them (RFC 9110 5.5). The parser leaves trailing
    /// ones.
    ///
    /// - Returns: Whether any value changed.
    mutating func trimValues() -> Bool {
      guard contains(where: { $0.value.utf8.first.isBlank || $0.value.utf8.last.isBlank }) else {
        return false
      }
      var trimmed = HTTPHeaders()
      trimmed.reserveCapacity(count)
      for (name, value) in self {
        var rest = value.utf8[...]
        while rest.first.isBlank { rest.removeFirst() }
        while rest.last.isBlank { rest.removeLast() }
        trimmed.add(name: name, value: String(Substring(rest)))
      }
      self = trimmed
      return true
    }
  }

  extension UInt8? {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
  }
#endif
