/// Path, query and fragment as they are sent, percent-encoded.
struct EncodedTarget {
  let requestTarget: String
  let pathLength: Int
  let fragment: String?
}

/// The text after the authority of a reference, or a whole relative reference: path, query and fragment.
///
/// The initializer finds the components and counts the octets to escape, so that the string can be created with its
/// exact size, or copied if there are none.
struct URITail {
  /// The prefix that a path is appended to.
  enum Context {
    /// The authority of the same reference.
    case authority
    /// The path of the base, for a reference without an authority.
    case base(TargetURI)
  }

  private let octets: UnsafeBufferPointer<UInt8>
  private var pathEnd: Int
  private var queryEnd: Int
  private var targetEscapes = 0
  private var fragmentEscapes = 0
  private var mayHaveDotSegments = false

  private var hasQuery: Bool { queryEnd > pathEnd }
  private var hasFragment: Bool { octets.count > queryEnd }

  init(_ octets: UnsafeBufferPointer<UInt8>) throws(URIError) {
    self.octets = octets
    pathEnd = octets.count
    queryEnd = octets.count
    var position = 0
    while position < octets.count {
      let octet = octets[position]
      if !octet.isPlainInURI {
        try note(octet, at: position)
      }
      position += 1
    }
  }

  private var isInPath: Bool { pathEnd == octets.count }
  private var isInFragment: Bool { queryEnd < octets.count }

  private mutating func note(_ octet: UInt8, at position: Int) throws(URIError) {
    switch octet {
    case UInt8(ascii: "."):
      if isInPath, position == 0 || octets[position - 1] == UInt8(ascii: "/") {
        mayHaveDotSegments = true
      }
    case UInt8(ascii: "?"):
      if isInPath { pathEnd = position }
    case UInt8(ascii: "#") where !isInFragment:
      if isInPath { pathEnd = position }
      queryEnd = position
    case UInt8(ascii: "%") where octets.escapedOctet(at: position) != nil:
      break
    default:
      if octet.isControlInURI { throw URIError(.controlCharacter) }
      if isInFragment {
        fragmentEscapes += 1
      } else {
        targetEscapes += 1
      }
    }
  }

  /// Makes the strings (RFC 3986 5.2.2 to 5.2.4).
  ///
  /// - Parameters:
  ///   - context: What a path is put behind.
  ///   - room: How many octets the result may have.
  func encoded(behind context: Context, room: Int) throws(URIError) -> EncodedTarget {
    let prefix = prefix(in: context)
    let targetSize = prefix.count + queryEnd + 2 * targetEscapes
    let fragmentSize = octets.count - queryEnd + 2 * fragmentEscapes
    guard targetSize + fragmentSize <= room else { throw URIError(.tooLong) }

    let fragment =
      hasFragment
      ? String(unsafeUninitializedCapacity: fragmentSize - 1) { buffer in
        write((queryEnd + 1)..<octets.count, escapes: fragmentEscapes, to: buffer, at: 0)
      } : nil
    if case .base(let base) = context, queryEnd == 0 {
      return EncodedTarget(
        requestTarget: base.requestTarget,
        pathLength: base.pathLength,
        fragment: fragment
      )
    }
    var pathLength = 0
    let requestTarget = String(unsafeUninitializedCapacity: targetSize) { buffer in
      var end = 0
      for octet in prefix {
        buffer[end] = octet
        end += 1
      }
      end = write(0..<pathEnd, escapes: targetEscapes, to: buffer, at: end)
      if mayHaveDotSegments {
        end = Self.removeDotSegments(UnsafeMutableBufferPointer(rebasing: buffer[..<end]))
      }
      pathLength = end
      return write(pathEnd..<queryEnd, escapes: targetEscapes, to: buffer, at: end)
    }
    return EncodedTarget(requestTarget: requestTarget, pathLength: pathLength, fragment: fragment)
  }

  /// Returns the text before the path of the reference in the result.
  private func prefix(in context: Context) -> Substring.UTF8View {
    if pathEnd > 0, octets[0] == UInt8(ascii: "/") { return "".utf8[...] }
    switch context {
    case .authority:
      return "/".utf8[...].prefix(pathEnd > 0 ? 0 : 1)
    case .base(let base):
      let path = base.requestTarget.utf8.prefix(base.pathLength)
      if pathEnd == 0 { return path }
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
      return path[...slash]
    }
  }

  /// Writes the octets of `range`, percent-encoded where they have to be, and returns where it ended.
  private func write(
    _ range: Range<Int>,
    escapes: Int,
    to buffer: UnsafeMutableBufferPointer<UInt8>,
    at start: Int
  ) -> Int {
    if escapes == 0 {
      return buffer[start...].initialize(fromContentsOf: octets[range])
    }
    var end = start
    for position in range {
      let octet = octets[position]
      if stands(octet, at: position, in: range) {
        buffer[end] = octet
        end += 1
      } else {
        buffer[end] = UInt8(ascii: "%")
        (buffer[end + 1], buffer[end + 2]) = Hexadecimal.upperCaseDigits(octet)
        end += 3
      }
    }
    return end
  }

  /// Returns whether the octet needs no escaping. A `?` never does, and a `#` always does after the one that starts
  /// the fragment.
  private func stands(_ octet: UInt8, at position: Int, in range: Range<Int>) -> Bool {
    octet.isPlainInURI || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "?")
      || octets.escapedOctet(at: position) != nil
  }

  /// Removes the segments `.` and `..` from a path that starts with `/`, in place, and returns its length
  /// (RFC 3986 5.2.4).
  private static func removeDotSegments(_ path: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let slash = UInt8(ascii: "/")
    let dot = UInt8(ascii: ".")
    var end = 0
    var start = 0
    while start < path.count {
      // `start` is at the slash before a segment, `next` at the one behind it.
      var next = start + 1
      while next < path.count, path[next] != slash {
        next += 1
      }
      let length = next - start - 1
      let isDot = length == 1 && path[start + 1] == dot
      let isDoubleDot = length == 2 && path[start + 1] == dot && path[start + 2] == dot
      if isDoubleDot, end > 0 {
        repeat { end -= 1 } while end > 0 && path[end] != slash
      }
      if isDot || isDoubleDot {
        // A dot segment at the end leaves the directory, with its slash.
        if next == path.count {
          path[end] = slash
          end += 1
        }
      } else {
        for position in start..<next {
          path[end] = path[position]
          end += 1
        }
      }
      start = next
    }
    return end
  }
}
