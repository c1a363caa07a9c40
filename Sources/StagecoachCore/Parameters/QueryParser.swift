/// Splits the bytes of a query into pairs and their keys into segments.
struct QueryParser {
  private let options: QueryDecoder
  private let plusIsSpace: Bool
  private let depthLimit: Int
  /// Whether brackets are part of the styles.
  private let hasBrackets: Bool

  private init(_ options: QueryDecoder) {
    self.options = options
    plusIsSpace = options.escaping == .form
    depthLimit = min(options.depthLimit, QueryEncoder.greatestDepth)
    hasBrackets =
      switch options.arrayStyle {
      case .brackets, .indexed: true
      case .repeated, .comma, .pipe, .space, .custom: options.objectStyle == .bracket
      }
  }

  static func tree(of bytes: Bytes, _ options: QueryDecoder) throws(QueryDecodingError) -> QueryTree {
    guard bytes.count <= options.sizeLimit else { throw .tooLong(limit: options.sizeLimit) }
    var options = options
    var bytes = bytes
    switch options.charset.coding {
    case .utf16, .utf32:
      bytes = Bytes(try text(of: bytes.array[...], at: 0, options))
      options.charset = .utf8
    case .utf8, .ascii, .latin1, .windows1252, .system: break
    }
    let parser = QueryParser(options)
    return try bytes.withUnsafeBytes { (buffer) throws(QueryDecodingError) in try parser.tree(of: buffer) }
  }

  private func tree(of bytes: UnsafeRawBufferPointer) throws(QueryDecodingError) -> QueryTree {
    var tree = QueryTree(options)
    var pairs = 0
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      if end > start {
        pairs += 1
        guard pairs <= options.pairLimit else { throw .tooManyPairs(limit: options.pairLimit) }
        try add(bytes[start..<end], to: &tree)
      }
      start = end + 1
    }
    return tree
  }

  private func add(_ pair: Slice<UnsafeRawBufferPointer>, to tree: inout QueryTree) throws(QueryDecodingError)
  {
    let equals = pair.firstIndex(of: UInt8(ascii: "="))
    let key = try text(of: pair[..<(equals ?? pair.endIndex)])
    let leaf = try equals.map { (equals) throws(QueryDecodingError) in try self.leaf(pair[(equals + 1)...]) }
    tree.add(leaf ?? QueryTree.Leaf(text: nil), at: try segments(of: key))
  }

  private func leaf(_ value: Slice<UnsafeRawBufferPointer>) throws(QueryDecodingError) -> QueryTree.Leaf {
    var leaf = QueryTree.Leaf(text: try text(of: value))
    switch options.arrayStyle {
    case .comma:
      // Escaped commas belong to the elements.
      guard value.contains(UInt8(ascii: ",")) else { break }
      var parts: [String] = []
      for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        parts.append(try text(of: part))
      }
      leaf.parts = parts
    case .pipe, .space:
      guard let delimiter = options.arrayStyle.delimiter, let text = leaf.text, text.utf8.contains(delimiter)
      else {
        break
      }
      leaf.parts = text.utf8.split(separator: delimiter, omittingEmptySubsequences: false).map {
        String(Substring($0))
      }
    case .brackets, .indexed, .repeated, .custom: break
    }
    return leaf
  }

  // MARK: Text

  private func text(of raw: Slice<UnsafeRawBufferPointer>) throws(QueryDecodingError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var index = raw.startIndex
    while index < raw.endIndex {
      let byte = raw[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        if raw.endIndex - index >= 2, let high = Hexadecimal.value(raw[index]),
          let low = Hexadecimal.value(raw[index + 1])
        {
          bytes.append(high << 4 | low)
          index += 2
          continue
        }
        if options.mode == .strict { throw .malformedEscape(offset: index - 1) }
      }
      bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
    }
    return try Self.text(of: bytes[...], at: raw.startIndex, options)
  }

  private static func text(
    of bytes: ArraySlice<UInt8>,
    at offset: Int,
    _ options: QueryDecoder
  ) throws(QueryDecodingError) -> String {
    do throws(CharsetError) {
      return try options.charset.decode(Array(bytes), mode: options.mode)
    } catch {
      switch error {
      case .unknown(let name): throw .unknownCharset(name)
      // Of the two a decoder throws the first alone.
      case .undecodable(let name, _), .unencodable(let name, _):
        throw .undecodable(charset: name, offset: offset)
      }
    }
  }

  // MARK: Keys

  /// The segments of a key; a key that does not follow the styles is one segment as it is.
  private func segments(of key: String) throws(QueryDecodingError) -> [QueryTree.Segment] {
    let bytes = key.utf8
    let isDelimiter = { (byte: UInt8) in
      byte == UInt8(ascii: "[") && hasBrackets || byte == UInt8(ascii: ".") && options.objectStyle == .dot
    }
    guard var index = bytes.firstIndex(where: isDelimiter) else { return [.key(key)] }
    var segments: [QueryTree.Segment] = [.key(String(key[..<index]))]
    while index < bytes.endIndex {
      let start = bytes.index(after: index)
      let end: String.Index
      if bytes[index] == UInt8(ascii: "["), hasBrackets {
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "]")),
          let segment = bracketed(String(key[start..<close]))
        else { return [.key(key)] }
        segments.append(segment)
        end = bytes.index(after: close)
      } else if isDelimiter(bytes[index]) {
        end = bytes[start...].firstIndex(where: isDelimiter) ?? bytes.endIndex
        segments.append(.key(String(key[start..<end])))
      } else {
        return [.key(key)]
      }
      guard segments.count - 1 <= depthLimit else { throw .tooDeep(key: key, limit: depthLimit) }
      index = end
    }
    return segments
  }

  /// What stands in brackets; nil if the styles have no such thing.
  private func bracketed(_ text: String) -> QueryTree.Segment? {
    switch options.arrayStyle {
    case .brackets where text.isEmpty: return .append
    case .indexed:
      // Only the one text of an index: "01" and "+1" are keys.
      if let index = Int(text), index >= 0, String(index) == text { return .index(index) }
    default: break
    }
    return options.objectStyle == .bracket ? .key(text) : nil
  }
}
