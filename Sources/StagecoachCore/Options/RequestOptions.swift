/// A collection of typed options of a request.
///
/// An unset option is inherited from the client, and otherwise has its own default value. An option set to its default
/// value counts as set and overrides the client. Every stage can define its own options, each as a ``RequestOption``
/// and a property.
public struct RequestOptions: Sendable {
  // The look-up can be inlined and specialised, because each layer has options of its own.
  @usableFromInline
  class Box: @unchecked Sendable {
    // Safe: the only stored properties of any subclass are immutable values of `Sendable` types.
    @usableFromInline let key: ObjectIdentifier

    init(_ key: ObjectIdentifier) {
      self.key = key
    }

    /// The name of the option.
    var name: String { "" }

    var distinguishes: Bool { true }
  }

  @usableFromInline
  final class ValueBox<Value: Sendable>: Box, @unchecked Sendable {
    // Safe: both are immutable and `Sendable`. The option is retained, which keeps its identity unique.
    let option: RequestOption<Value>
    @usableFromInline let value: Value

    init(_ option: RequestOption<Value>, _ value: Value) {
      self.option = option
      self.value = value
      super.init(ObjectIdentifier(option))
    }

    override var name: String { option.name }
    override var distinguishes: Bool { option.distinguishes }
  }

  @usableFromInline var own: [Box]?
  @usableFromInline var inherited: [Box]?

  /// Creates a collection without options.
  public init() {}

  /// The effective value of an option; assigning sets it in this collection.
  public subscript<Value: Sendable>(option: RequestOption<Value>) -> Value {
    @inlinable get {
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

  /// Returns the values set by the request and by each client, nearest first; the default value if there are none.
  func all<Value: Sendable>(_ option: RequestOption<Value>) -> [Value] {
    let identifier = ObjectIdentifier(option)
    let values = ((own ?? []) + (inherited ?? [])).lazy.filter { $0.key == identifier }
      .compactMap { ($0 as? ValueBox<Value>)?.value }
    return values.isEmpty ? [option.defaultValue] : Array(values)
  }

  /// Returns whether the option is set here or inherited, even if to its default value.
  func isSetAnywhere<Value: Sendable>(_ option: RequestOption<Value>) -> Bool {
    Self.find(option, in: own) != nil || Self.find(option, in: inherited) != nil
  }

  /// Returns whether the option is set here, even if to its default value.
  public func isSet<Value: Sendable>(_ option: RequestOption<Value>) -> Bool {
    Self.find(option, in: own) != nil
  }

  /// The names of the options that are set here.
  package var namesSetHere: [String] { (own ?? []).map(\.name) }

  /// Unsets an option, so that it is inherited again.
  public mutating func unset<Value: Sendable>(_ option: RequestOption<Value>) {
    own?.removeAll { $0.key == ObjectIdentifier(option) }
  }

  /// Returns these options with the client's as a fallback, followed by those of an outer client.
  package func inheriting(_ defaults: RequestOptions) -> RequestOptions {
    guard let further = defaults.own else { return self }
    var copy = self
    copy.inherited = inherited.map { $0 + further } ?? further
    return copy
  }

  /// Returns whether both set the same distinguishing options to the same objects: values of unknown types can only be
  /// compared by identity.
  package func agrees(with other: RequestOptions) -> Bool {
    func boxes(_ list: [Box]?) -> [ObjectIdentifier] {
      (list ?? []).lazy.filter(\.distinguishes).map { ObjectIdentifier($0) }
    }
    return boxes(own) == boxes(other.own) && boxes(inherited) == boxes(other.inherited)
  }

  @inlinable
  static func find<Value: Sendable>(_ option: RequestOption<Value>, in boxes: [Box]?) -> ValueBox<
    Value
  >? {
    guard let boxes else { return nil }
    let identifier = ObjectIdentifier(option)
    for box in boxes where box.key == identifier {
      // Safe: the box retains the option, so that no other option can have its identity, and was created for the
      // option's type.
      return unsafeDowncast(box, to: ValueBox<Value>.self)
    }
    return nil
  }
}

extension RequestOptions: CustomStringConvertible, CustomReflectable {
  /// The names of the options that are set here or inherited. Values are not shown, because they may be secret.
  public var description: String { names.joined(separator: ", ") }

  /// The names of the options.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: names) }

  private var names: [String] { Set(((own ?? []) + (inherited ?? [])).map(\.name)).sorted() }
}
