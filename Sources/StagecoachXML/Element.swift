extension XML {
  /// An element as a value: to build, change and write.
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
  /// Anything can be put into an element; what XML cannot say is found when it is written or becomes a
  /// ``Document`` (``ElementError``). An element value is as deep as it was built, but only 256 levels can
  /// be written.
  ///
  /// Two elements are equal if their names, attributes in this order and contents are. Which prefixes
  /// stand for the namespaces makes no difference.
  public struct Element: Sendable {
    /// The name.
    public var name: Name

    /// Namespaces that are declared here, by prefix, the default namespace by an empty one.
    ///
    /// What names need is declared anyway. Others are for values that hold prefixes, such as
    /// `xsi:type="xs:int"`, and for declaring once what many children need.
    public var namespaces: [String: String]

    /// The attributes in the order in which they are written.
    public var attributes: [Attribute]

    /// What the element holds, in order.
    public var children: [Content]

    /// An attribute with its value.
    public struct Attribute: Sendable, Hashable {
      /// The name. A name without namespace has no prefix.
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
      /// Characters to be written as a CDATA section, or as several if they hold `]]>`.
      case cdata(String)
      /// A comment. Readers see its line ends as line feeds.
      case comment(String)
      /// A processing instruction. Readers see its line ends as line feeds, and no white space before the
      /// data.
      case processingInstruction(target: String, data: String)
    }

    /// An element.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - namespaces: Namespaces to declare here, by prefix.
    ///   - attributes: The attributes, in order.
    ///   - children: What it holds.
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
  /// An element with attributes in the order of a literal.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - namespaces: Namespaces to declare here, by prefix.
  ///   - attributes: The attributes, in order.
  ///   - children: What it holds.
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

  /// An element that holds text, none if it is empty.
  public init(_ name: XML.Name, attributes: KeyValuePairs<XML.Name, String> = [:], text: String) {
    self.init(name, attributes: attributes.map(Attribute.init), children: text.isEmpty ? [] : [.text(text)])
  }

  /// An element with what a builder lists: elements, texts, ``Content`` of any kind, with `if` and `for`.
  ///
  /// ```swift
  /// let list = XML.Element("list", attributes: ["count": "\(names.count)"]) {
  ///   for name in names { XML.Element("name", text: name) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - namespaces: Namespaces to declare here, by prefix.
  ///   - attributes: The attributes, in order.
  ///   - content: What it holds.
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

  /// Collects what an element holds.
  @resultBuilder
  public enum ContentBuilder {
    /// An element.
    public static func buildExpression(_ element: XML.Element) -> [Content] { [.element(element)] }
    /// Characters.
    public static func buildExpression(_ text: String) -> [Content] { [.text(text)] }
    /// Content of any kind.
    public static func buildExpression(_ content: Content) -> [Content] { [content] }
    /// One after another.
    public static func buildBlock(_ parts: [Content]...) -> [Content] { Array(parts.joined()) }
    /// What a loop made.
    public static func buildArray(_ parts: [[Content]]) -> [Content] { Array(parts.joined()) }
    /// An `if` without `else`.
    public static func buildOptional(_ part: [Content]?) -> [Content] { part ?? [] }
    /// A branch.
    public static func buildEither(first part: [Content]) -> [Content] { part }
    /// A branch.
    public static func buildEither(second part: [Content]) -> [Content] { part }
    /// What needs a newer system.
    public static func buildLimitedAvailability(_ part: [Content]) -> [Content] { part }
  }
}

extension XML.Element: Hashable {
  /// Whether names, attributes and contents are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.attributes == right.attributes && left.children == right.children
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(attributes)
    hasher.combine(children)
  }
}
