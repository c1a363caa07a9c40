internal import CLibXML2

/// A start tag as libxml2 reports it. Each attribute takes five pointers: local name, prefix, namespace,
/// and the first and the last end of its value.
struct SAXStartTag {
  var name: UnsafePointer<xmlChar>?
  var prefix: UnsafePointer<xmlChar>?
  var uri: UnsafePointer<xmlChar>?
  var namespaceCount: Int32
  var namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  var attributeCount: Int32
  var defaulted: Int32
  var attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

  /// The value of one attribute.
  func value(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let attributes, let start = attributes[index * 5 + 3], let end = attributes[index * 5 + 4] else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: max(0, end - start))
  }
}

/// The bytes of a name with its prefix and the colon.
func qualifiedLength(_ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?) -> Int {
  prefix == nil ? length(name) : length(prefix) + 1 + length(name)
}
