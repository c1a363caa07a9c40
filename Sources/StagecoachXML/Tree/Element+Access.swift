extension XML.Element {
  /// The value of an attribute; `nil` if absent.
  ///
  /// Setting it changes the attribute in place, or appends one; `nil` removes it.
  public subscript(name: XML.Name) -> String? {
    get { attributes.first { $0.name == name }?.value }
    set {
      guard let index = attributes.firstIndex(where: { $0.name == name }) else {
        if let newValue { attributes.append(Attribute(name, newValue)) }
        return
      }
      if let newValue { attributes[index].value = newValue } else { attributes.remove(at: index) }
    }
  }

  /// The first child element with a name; `nil` if there is none.
  ///
  /// Setting it replaces that element, or appends one; `nil` removes it.
  public subscript(element name: XML.Name) -> XML.Element? {
    get {
      for case .element(let child) in children where child.name == name { return child }
      return nil
    }
    set {
      let index = children.firstIndex {
        if case .element(let child) = $0 { child.name == name } else { false }
      }
      switch (index, newValue) {
      case (let index?, let element?): children[index] = .element(element)
      case (let index?, nil): children.remove(at: index)
      case (nil, let element?): children.append(.element(element))
      case (nil, nil): break
      }
    }
  }

  /// The child elements.
  public var elements: [XML.Element] {
    children.compactMap { if case .element(let child) = $0 { child } else { nil } }
  }

  /// Returns the child elements with a name.
  public func elements(named name: XML.Name) -> [XML.Element] { elements.filter { $0.name == name } }

  /// All characters of the element and its descendants, as in XPath 1.0 (section 5.2).
  ///
  /// Setting it replaces all children by a single text.
  public var text: String {
    get {
      if case .text(let text)? = children.first, children.count == 1 { return text }
      var text = ""
      // With a stack of its own, since elements may be nested deeper than calls can.
      var rest = [children[...]]
      while let child = rest.last?.first {
        rest[rest.count - 1].removeFirst()
        switch child {
        case .text(let characters), .cdata(let characters): text += characters
        case .element(let element): rest.append(element.children[...])
        case .comment, .processingInstruction: break
        }
        while rest.last?.isEmpty == true { rest.removeLast() }
      }
      return text
    }
    set { children = newValue.isEmpty ? [] : [.text(newValue)] }
  }
}
