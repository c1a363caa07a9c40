/// A pair of a query.
struct QueryPair {
  let key: String
  /// `nil` for a key without "=".
  let value: String?
  /// The elements, if the delimiter of the array style makes more than one.
  var elements: [String]?

  /// Splits a key into its name and the index in brackets behind it, which is empty in `[]`.
  static func parts(of key: String) -> (name: Substring, index: Substring?) {
    guard key.utf8.last == UInt8(ascii: "]"), let open = key.utf8.lastIndex(of: UInt8(ascii: "["))
    else { return (key[...], nil) }
    let index = key[key.utf8.index(after: open)...].dropLast()
    return index.utf8.allSatisfy(\.isDigitOfURI) ? (key[..<open], index) : (key[...], nil)
  }

  /// Returns a key without the brackets of an element, `[]` or with an index.
  static func name(of key: String) -> String { String(parts(of: key).name) }
}

/// Splits the bytes of a query into pairs.
struct QueryParser {
  let options: QueryDecoder

  func pairs(of bytes: Bytes) throws(ParameterError) -> [QueryPair] {
    guard bytes.count <= options.sizeLimit else { throw .tooLong(limit: options.sizeLimit) }
    return try bytes.withUnsafeBytes { (buffer) throws(ParameterError) in try pairs(of: buffer) }
  }

  private func pairs(of bytes: UnsafeRawBufferPointer) throws(ParameterError) -> [QueryPair] {
    var pairs: [QueryPair] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      if end > start {
        guard pairs.count < options.pairLimit else { throw .tooManyPairs(limit: options.pairLimit) }
        pairs.append(try pair(bytes[start..<end]))
      }
      start = end + 1
    }
    return pairs
  }

  private func pair(_ pair: Slice<UnsafeRawBufferPointer>) throws(ParameterError) -> QueryPair {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      return QueryPair(key: try text(of: pair), value: nil)
    }
    let key = try text(of: pair[..<equals])
    let raw = pair[(equals + 1)...]
    let value = try text(of: raw)
    var elements: [String] = []
    if case .comma = options.arrayStyle {
      // Escaped commas belong to the elements.
      for part in raw.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        elements.append(try text(of: part))
      }
    } else if let delimiter = options.arrayStyle.delimiter {
      elements = value.utf8.split(separator: delimiter, omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
    }
    return QueryPair(key: key, value: value, elements: elements.count > 1 ? elements : nil)
  }

  private func text(of raw: Slice<UnsafeRawBufferPointer>) throws(ParameterError) -> String {
    let (bytes, malformed) = raw.percentDecoding(plusIsSpace: options.escaping == .form)
    if options.mode == .strict, let malformed { throw .malformedEscape(offset: malformed) }
    do throws(CharsetError) {
      return try options.charset.decode(bytes, mode: options.mode)
    } catch {
      switch error {
      case .unknown(let name): throw .unknownCharset(name)
      // Of the two errors only the first is thrown by a decoder.
      case .undecodable(let name, _), .unencodable(let name, _):
        throw .undecodable(charset: name, offset: raw.startIndex)
      }
    }
  }
}
