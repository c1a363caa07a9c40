internal import CLibXML2

extension XML {
  /// The name of an element or attribute, as a view of the parser's memory that is only valid during the call.
  public struct RawName: ~Escapable {
    private let name: SAXName
    private let names: UnsafeMutablePointer<NameTable>

    // The memory behind it is valid during a callback of libxml2. No view outlives that: the callback lends it
    // to the handler, which cannot store what does not escape.
    @_lifetime(immortal)
    init(_ name: SAXName, names: UnsafeMutablePointer<NameTable>) {
      self.name = name
      self.names = names
    }

    /// The name without prefix, in UTF-8.
    public var localName: Span<UInt8> {
      @_lifetime(copy self) get { _overrideLifetime(bytes(of: name.local).span, copying: self) }
    }

    /// The namespace in UTF-8; empty for none.
    public var namespaceURI: Span<UInt8> {
      @_lifetime(copy self) get { _overrideLifetime(bytes(of: name.uri).span, copying: self) }
    }

    /// The name as a value, created once for all its occurrences in the document.
    public var interned: Name { names.pointee.name(name) }

    /// Returns whether this is the local name, in any namespace.
    public func equals(_ localName: String) -> Bool {
      name.local.map { localName.equals(libxml: $0) } ?? false
    }

    /// Returns whether this is the local name, in a namespace; `nil` for none.
    public func equals(_ localName: String, namespace: String?) -> Bool {
      guard equals(localName) else { return false }
      return switch (name.uri, namespace) {
      case (nil, nil): true
      case (let uri?, let namespace?): namespace.equals(libxml: uri)
      default: false
      }
    }
  }

  /// The start of an element, as a view of the parser's memory that is only valid during the call.
  public struct RawStartTag: ~Escapable {
    @usableFromInline let tag: UnsafePointer<SAXStartTag>
    private let names: UnsafeMutablePointer<NameTable>
    private let context: UnsafeMutableRawPointer

    // See `RawName`.
    @_lifetime(immortal)
    init(
      _ tag: UnsafePointer<SAXStartTag>,
      names: UnsafeMutablePointer<NameTable>,
      context: UnsafeMutableRawPointer
    ) {
      self.tag = tag
      self.names = names
      self.context = context
    }

    /// The line of the end of the tag, from 1.
    public var line: Int { StagecoachXML.line(at: context) }

    /// The name of the element.
    public var name: RawName {
      @_lifetime(copy self) get {
        _overrideLifetime(RawName(tag.pointee.name, names: names), copying: self)
      }
    }

    /// The number of attributes, including defaults of the DTD.
    @inlinable public var attributeCount: Int { Int(tag.pointee.attributeCount) }

    /// Returns the name of an attribute by its position, from 0 to below ``attributeCount``.
    @_lifetime(copy self)
    public func attributeName(at index: Int) -> RawName {
      precondition(index >= 0 && index < attributeCount, "there are \(attributeCount) attributes")
      return _overrideLifetime(RawName(tag.pointee.attributeName(index), names: names), copying: self)
    }

    /// Returns the value of an attribute in UTF-8, by its position, from 0 to below ``attributeCount``.
    @_lifetime(copy self)
    public func attributeValue(at index: Int) -> Span<UInt8> {
      precondition(index >= 0 && index < attributeCount, "there are \(attributeCount) attributes")
      return _overrideLifetime(tag.pointee.value(index).span, copying: self)
    }

    /// Returns the value of an attribute; `nil` if there is none with that name.
    ///
    /// - Parameters:
    ///   - localName: The name without prefix.
    ///   - namespace: The namespace; `nil`, the default, for none, as for a name without prefix.
    public func attribute(_ localName: String, namespace: String? = nil) -> String? {
      for index in 0..<attributeCount where attributeName(at: index).equals(localName, namespace: namespace) {
        return String(decoding: tag.pointee.value(index), as: UTF8.self)
      }
      return nil
    }

    /// The namespaces that the tag declares, by prefix, with an empty prefix for the default namespace.
    public var namespaces: [String: String] {
      var namespaces: [String: String] = [:]
      for index in 0..<Int(tag.pointee.namespaceCount) {
        let (prefix, uri) = tag.pointee.namespace(index)
        namespaces[String(libxml: prefix)] = String(libxml: uri)
      }
      return namespaces
    }
  }
}

/// The bytes of a string of libxml2.
func bytes(of text: UnsafePointer<xmlChar>?) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(start: text, count: length(text))
}
