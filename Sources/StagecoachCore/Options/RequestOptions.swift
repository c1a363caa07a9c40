/// A small typed bag of options, which travels with a request.
///
/// An option that is unset inherits: from the client, then from its own default. An option set to its default value
/// counts as set, so it overrides what the client says. Any stage has options of its own, each a ``RequestOption`` and
/// a property.
public struct RequestOptions: Sendable {
  private class Box: @unchecked Sendable {
    // Safe: the only stored properties of any subclass are immutable values of `Sendable` types.
    let key: ObjectIdentifier

    init(_ key: ObjectIdentifier) {
      self.key = key
    }

    /// The name of the option.
    var name: String { "" }
  }

  private final class ValueBox<Value: Sendable>: Box, @unchecked Sendable {
    // Keeps the option, and with it its identity.
    let option: RequestOption<Value>
    let value: Value

    init(_ option: RequestOption<Value>, _ value: Value) {
      self.option = option
      self.value = value
      super.init(ObjectIdentifier(option))
    }

    override var name: String { option.name }
  }

  private var own: [Box]?
  private var inherited: [Box]?

  /// An empty bag.
  public init() {}

  /// The effective value of an option; assigning sets it here.
  public subscript<Value: Sendable>(option: RequestOption<Value>) -> Value {
    get {
      (Self.find(option, in: own) ?? Self.find(option, in: inherited))?.value ?? option.defaultValue
    }
    set {
      let box = ValueBox(option, newValue)
      if let index = own?.firstIndex(where: { $0.key == box.key }) {
        own?[index] = box
      } else if own == nil {
        own = [box]
      } else {
        own?.append(box)
      }
    }
  }

  /// What the request and each client set, the nearest first; the key's default where none does.
  func all<Value: Sendable>(_ option: RequestOption<Value>) -> [Value] {
    let identifier = ObjectIdentifier(option)
    let values = ((own ?? []) + (inherited ?? [])).lazy.filter { $0.key == identifier }
      .compactMap { ($0 as? ValueBox<Value>)?.value }
    return values.isEmpty ? [option.defaultValue] : Array(values)
  }

  /// Whether the option is set here or inherited, be it to its default value.
  func isSetAnywhere<Value: Sendable>(_ option: RequestOption<Value>) -> Bool {
    Self.find(option, in: own) != nil || Self.find(option, in: inherited) != nil
  }

  /// Whether the option is set here, be it to its default value.
  public func isSet<Value: Sendable>(_ option: RequestOption<Value>) -> Bool {
    Self.find(option, in: own) != nil
  }

  /// Unsets an option, so that it inherits again.
  public mutating func unset<Value: Sendable>(_ option: RequestOption<Value>) {
    own?.removeAll { $0.key == ObjectIdentifier(option) }
  }

  /// The same options, with those of the client behind them, and behind those of a client above it.
  func inheriting(_ defaults: RequestOptions) -> RequestOptions {
    guard let further = defaults.own else { return self }
    var copy = self
    copy.inherited = inherited.map { $0 + further } ?? further
    return copy
  }

  /// Whether both set the same options to the same objects, apart from some keys: a value of an unknown type can be
  /// told from another by its identity alone.
  func agrees(with other: RequestOptions, except keys: Set<ObjectIdentifier>) -> Bool {
    func boxes(_ list: [Box]?) -> [ObjectIdentifier] {
      (list ?? []).lazy.filter { !keys.contains($0.key) }.map { ObjectIdentifier($0) }
    }
    return boxes(own) == boxes(other.own) && boxes(inherited) == boxes(other.inherited)
  }

  private static func find<Value: Sendable>(_ option: RequestOption<Value>, in boxes: [Box]?) -> ValueBox<
    Value
  >? {
    guard let boxes else { return nil }
    let identifier = ObjectIdentifier(option)
    for box in boxes where box.key == identifier {
      // Safe: the box holds the option, so that no other can have its identity, and was made for the option's type.
      return unsafeDowncast(box, to: ValueBox<Value>.self)
    }
    return nil
  }
}

extension RequestOptions: CustomStringConvertible, CustomReflectable {
  /// The names of the options that are set here or inherited. Their values may be secrets: of those of foreign types
  /// nobody knows.
  public var description: String { names.joined(separator: ", ") }

  /// The names of the options.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: names) }

  private var names: [String] { Set(((own ?? []) + (inherited ?? [])).map(\.name)).sorted() }
}
