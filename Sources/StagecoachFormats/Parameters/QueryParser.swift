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

  static func tree(of bytes: Bytes, _ options: QueryDecoder) throws(ParameterError) -> QueryTree {
    guard bytes.count <= options.sizeLimit else { throw .tooLong(limit: options.sizeLimit) }
    var options = options
    var bytes = bytes
    switch options.charset.coding {
    case .utf16, .utf32:
      bytes = Bytes(try text(of: bytes.array[...], at: 0, options))
      options.charset = .utf8
    case .utf8, .ascii, .latin1, .windows1252, .userDefined, .replacement, .iso2022JP, .system: break
    }
    let parser = QueryParser(options)
    return try bytes.withUnsafeBytes { (buffer) throws(ParameterError) in try parser.tree(of: buffer) }
  }

  private func tree(of bytes: UnsafeRawBufferPointer) throws(ParameterError) -> QueryTree {
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

  private func add(_ pair: Slice<UnsafeRawBufferPointer>, to tree: inout QueryTree) throws(ParameterError) {
    let equals = pair.firstIndex(of: UInt8(ascii: "="))
    let key = try text(of: pair[..<(equals ?? pair.endIndex)])
    let leaf = try equals.map { (equals) throws(ParameterError) in try self.leaf(pair[(equals + 1)...]) }
    tree.add(leaf ?? QueryTree.Leaf(text: nil), at: try segments(of: key))
  }

  private func leaf(_ value: Slice<UnsafeRawBufferPointer>) throws(ParameterError) -> QueryTree.Leaf {
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

  private func text(of raw: Slice<UnsafeRawBufferPointer>) throws(ParameterError) -> String {
    let (bytes, malformed) = raw.percentDecoding(plusIsSpace: plusIsSpace)
    if options.mode == .strict, let malformed { throw .malformedEscape(offset: malformed) }
    return try Self.text(of: bytes[...], at: raw.startIndex, options)
  }

  private static func text(
    of bytes: ArraySlice<UInt8>,
    at offset: Int,
    _ options: QueryDecoder
  ) throws(ParameterError) -> String {
    do throws(CharsetError) {
      return try options.charset.decode(Array(bytes), mode: options.mode)
    } catch {
      switch error {
      case .unknown(let name): throw .unknownCharset(name)
      // Of the two errors only the first is thrown by a decoder.
      case .undecodable(let name, _), .unencodable(let name, _):
        throw .undecodable(charset: name, offset: offset)
      }
    }
  }

  // MARK: Keys

  /// Returns the segments of a key; a key that does not match the styles is a single segment.
  private func segments(of key: String) throws(ParameterError) -> [QueryTree.Segment] {
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

  /// Returns the text in brackets as a segment; `nil` if the styles do not have it.
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
