internal import CLibXML2

/// A name as libxml2 reports it.
struct SAXName {
  var local: UnsafePointer<xmlChar>?
  var prefix: UnsafePointer<xmlChar>?
  var uri: UnsafePointer<xmlChar>?

  /// The bytes of the name with its prefix and the colon.
  var count: Int { prefix == nil ? length(local) : length(prefix) + 1 + length(local) }
}

/// A start tag as libxml2 reports it. Each attribute takes five pointers: local name, prefix, namespace,
/// and the first and the last end of its value.
@usableFromInline struct SAXStartTag {
  var name: SAXName
  var namespaceCount: Int32
  var namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  @usableFromInline var attributeCount: Int32
  var attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  /// The number of attributes at the end that are defaults of the DTD.
  var defaultedCount: Int32 = 0

  /// The name of one attribute.
  func attributeName(_ index: Int) -> SAXName {
    guard let attributes else { return SAXName() }
    return SAXName(
      local: attributes[index * 5],
      prefix: attributes[index * 5 + 1],
      uri: attributes[index * 5 + 2]
    )
  }

  /// The prefix and the name of one namespace declared.
  func namespace(_ index: Int) -> (UnsafePointer<xmlChar>?, UnsafePointer<xmlChar>?) {
    guard let namespaces else { return (nil, nil) }
    return (namespaces[index * 2], namespaces[index * 2 + 1])
  }

  /// The value of one attribute.
  func value(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let attributes, let start = attributes[index * 5 + 3], let end = attributes[index * 5 + 4] else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: max(0, end - start))
  }

  /// Whether the value of one attribute holds a reference.
  @inline(__always)
  func hasReferences(_ index: Int) -> Bool {
    value(index).holds(UInt8(ascii: "&"))
  }

  /// Lets libxml2 add a node to its tree.
  func buildNode(at context: UnsafeMutableRawPointer) {
    xmlSAX2StartElementNs(
      context,
      name.local,
      name.prefix,
      name.uri,
      namespaceCount,
      namespaces,
      attributeCount,
      // Attributes that the DTD supplies count like others; libxml2 would leave out as many as this says.
      0,
      attributes
    )
  }
}
