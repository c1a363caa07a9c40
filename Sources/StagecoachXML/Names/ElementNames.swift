internal import CLibXML2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension String {
  /// Whether both have the same characters: to Swift, but not to XML, equivalent ones are equal.
  func isWritten(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let start = left.baseAddress, let other = right.baseAddress else {
          return left.count == right.count
        }
        return left.count == right.count && (start == other || memcmp(start, other, left.count) == 0)
      }
    }
  }

  /// Whether this is a name without colon (XML 1.0, fifth edition, section 2.3; Namespaces in XML 1.0,
  /// section 3, NCName).
  var isXMLName: Bool {
    var scalars = unicodeScalars.makeIterator()
    guard let first = scalars.next(), first.isXMLNameStart else { return false }
    while let scalar = scalars.next() {
      guard scalar.isXMLNameStart || scalar.isXMLNameRest else { return false }
    }
    return true
  }

  /// The name with what no name can hold written as `U` and six digits (HTML 13.2.9).
  var asXMLName: String {
    var name = ""
    for scalar in unicodeScalars {
      if scalar.isXMLNameStart || !name.isEmpty && scalar.isXMLNameRest {
        name.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        name += "U" + String(repeating: "0", count: 6 - digits.count) + digits
      }
    }
    return name
  }

  /// Whether this is a URI reference as the parser wants the names of namespaces to be (RFC 3986, section
  /// 4.1).
  var isURIReference: Bool {
    guard !isEmpty else { return true }
    guard !utf8.contains(0), let uri = xmlParseURI(self) else { return false }
    xmlFreeURI(uri)
    return true
  }
}

extension Unicode.Scalar {
  fileprivate var isXMLNameStart: Bool {
    switch value {
    case 0x61...0x7A, 0x41...0x5A, 0x5F: true
    case ..<0xC0: false
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether the character is allowed in names, but not at the start.
  fileprivate var isXMLNameRest: Bool {
    switch value {
    case 0x30...0x39, 0x2D, 0x2E, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: false
    }
  }
}
