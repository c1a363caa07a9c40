extension XML {
  /// A mutable element, for building, changing and writing XML.
  ///
  /// ```swift
  /// var entry = XML.Element("entry", attributes: ["id": "7"]) {
  ///   XML.Element("title", text: "Coach")
  /// }
  /// entry["id"] = "8"
  /// entry[element: "title"]?.text = "Carriage"
  /// let bytes = try entry.serialized()
  /// ```
  ///
  /// An element may contain anything; errors are reported when it is written or becomes a ``Document``
  /// (``ElementError``). An element may be nested to any depth, but at most 256 levels can be written.
  ///
  /// Two elements are equal if their names, attributes in order and contents are equal. Prefixes are ignored.
  public struct Element: Sendable {
    /// The name.
    public var name: Name

    /// The namespaces declared here, by prefix, with an empty prefix for the default namespace.
    ///
    /// Namespaces of names are declared automatically. Add others for prefixes in values, such as `xsi:type="xs:int"`,
    /// or to declare once what many children need.
    public var namespaces: [String: String]

    /// The attributes in order.
    public var attributes: [Attribute]

    /// The content of the element, in order.
    public var children: [Content]

    /// An attribute with its value.
    public struct Attribute: Sendable, Hashable {
      /// The name. A name without namespace has no prefix.
      public var name: Name
      /// The unescaped value.
      public var value: String

      /// Creates an attribute.
      public init(_ name: Name, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    /// A piece of content of an element.
    @nonexhaustive
    public enum Content: Sendable, Hashable {
      /// An element.
      case element(Element)
      /// Unescaped characters.
      case text(String)
      /// Characters to write as a CDATA section, or as several if they contain `]]>`.
      case cdata(String)
      /// A comment. Its line ends are read as line feeds.
      case comment(String)
      /// A processing instruction. Its line ends are read as line feeds, and white space before the data is lost.
      case processingInstruction(target: String, data: String)
    }

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - namespaces: The namespaces to declare here, by prefix.
    ///   - attributes: The attributes, in order.
    ///   - children: The content.
    public init(
      _ name: Name,
      namespaces: [String: String] = [:],
      attributes: [Attribute] = [],
      children: [Content] = []
    ) {
      self.name = name
      self.namespaces = namespaces
      self.attributes = attributes
      self.children = children
    }
  }
}

extension XML.Element {
  /// Creates an element with attributes in the order of a literal.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - namespaces: The namespaces to declare here, by prefix.
  ///   - attributes: The attributes, in order.
  ///   - children: The content.
  public init(
    _ name: XML.Name,
    namespaces: [String: String] = [:],
    attributes: KeyValuePairs<XML.Name, String>,
    children: [Content] = []
  ) {
    self.init(
      name,
      namespaces: namespaces,
      attributes: attributes.map(Attribute.init),
      children: children
    )
  }

  /// Creates an element with text, without children if it is empty.
  public init(_ name: XML.Name, attributes: KeyValuePairs<XML.Name, String> = [:], text: String) {
    self.init(name, attributes: attributes.map(Attribute.init), children: text.isEmpty ? [] : [.text(text)])
  }

  /// Creates an element with the content of a builder: elements, texts, any ``Content``, with `if` and `for`.
  ///
  /// ```swift
  /// let names = ["Ada", "Grace"]
  /// let list = XML.Element("list", attributes: ["count": "\(names.count)"]) {
  ///   for name in names { XML.Element("name", text: name) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - namespaces: The namespaces to declare here, by prefix.
  ///   - attributes: The attributes, in order.
  ///   - content: The content.
  public init(
    _ name: XML.Name,
    namespaces: [String: String] = [:],
    attributes: KeyValuePairs<XML.Name, String> = [:],
    @ContentBuilder content: () throws -> [Content]
  ) rethrows {
    self.init(
      name,
      namespaces: namespaces,
      attributes: attributes.map(Attribute.init),
      children: try content()
    )
  }

  /// A result builder for the content of an element.
  @resultBuilder
  public enum ContentBuilder {
    /// Builds an element.
    public static func buildExpression(_ element: XML.Element) -> [Content] { [.element(element)] }
    /// Builds characters.
    public static func buildExpression(_ text: String) -> [Content] { [.text(text)] }
    /// Builds content of any kind.
    public static func buildExpression(_ content: Content) -> [Content] { [content] }
    /// Builds a sequence of content.
    public static func buildBlock(_ parts: [Content]...) -> [Content] { Array(parts.joined()) }
    /// Builds the content of a loop.
    public static func buildArray(_ parts: [[Content]]) -> [Content] { Array(parts.joined()) }
    /// Builds the content of an `if` without `else`.
    public static func buildOptional(_ part: [Content]?) -> [Content] { part ?? [] }
    /// Builds the content of the first branch.
    public static func buildEither(first part: [Content]) -> [Content] { part }
    /// Builds the content of the second branch.
    public static func buildEither(second part: [Content]) -> [Content] { part }
    /// Builds content that requires a newer system.
    public static func buildLimitedAvailability(_ part: [Content]) -> [Content] { part }
  }
}

extension XML.Element: Hashable {
  /// Returns whether names, attributes and contents are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.attributes == right.attributes && left.children == right.children
  }

  /// Hashes the same parts that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(attributes)
    hasher.combine(children)
  }
}
