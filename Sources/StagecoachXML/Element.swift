extension XML {
  /// An element as a value: to build, change and write.
  ///
  /// ```swift
  /// var entry = XML.Element("entry", attributes: ["id": "7"], text: "Coach")
  /// entry.children.append(.element(XML.Element("wheels", text: "4")))
  /// ```
  public struct Element: Sendable, Hashable {
    /// The name.
    public var name: Name

    /// The attributes in the order in which they are written.
    public var attributes: [Attribute]

    /// What the element holds, in order.
    public var children: [Content]

    /// An attribute with its value.
    public struct Attribute: Sendable, Hashable {
      /// The name. A name without prefix is in no namespace.
      public var name: Name
      /// The value, not escaped.
      public var value: String

      /// An attribute.
      public init(_ name: Name, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    /// What can stand in an element.
    @nonexhaustive
    public enum Content: Sendable, Hashable {
      /// An element.
      case element(Element)
      /// Characters, not escaped.
      case text(String)
      /// Characters to be written as a CDATA section.
      case cdata(String)
      /// A comment.
      case comment(String)
      /// A processing instruction.
      case processingInstruction(target: String, data: String)
    }

    /// An element.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - attributes: The attributes, in order.
    ///   - children: What it holds.
    public init(_ name: Name, attributes: [Attribute] = [], children: [Content] = []) {
      self.name = name
      self.attributes = attributes
      self.children = children
    }
  }
}
