/// A kind of per-request option: a type whose values travel with a request.
///
/// Any stage defines its own:
///
/// ```swift
/// enum MirrorOption: RequestOptionKey {
///   static let defaultValue = false
/// }
/// let request = Request.get("/file").with(MirrorOption.self, true)
/// // in the stage:
/// if request.options[MirrorOption.self] { /* ... */ }
/// ```
public protocol RequestOptionKey {
  /// The type of the option's value.
  associatedtype Value: Sendable
  /// The value where neither the request nor the client sets one.
  static var defaultValue: Value { get }
  /// The name that errors use, such as `totalTimeout`.
  static var name: String { get }
}

extension RequestOptionKey {
  /// The name of the type.
  public static var name: String { String(describing: Self.self) }
}

/// A small typed bag of options.
///
/// An option that is unset inherits: from the client, then from the key's default. An option set to
/// its default value counts as set, so it overrides what the client says.
public struct RequestOptions: Sendable {
  private class Box: @unchecked Sendable {
    // Safe: the only stored property of any subclass is an immutable value of a `Sendable` type.
    let key: ObjectIdentifier

    init(_ key: ObjectIdentifier) {
      self.key = key
    }

    /// The name of the option.
    var name: String { "" }
  }

  private final class ValueBox<Key: RequestOptionKey>: Box, @unchecked Sendable {
    let value: Key.Value

    init(_ value: Key.Value) {
      self.value = value
      super.init(ObjectIdentifier(Key.self))
    }

    override var name: String { Key.name }
  }

  private var own: [Box]?
  private var inherited: [Box]?

  /// An empty bag.
  public init() {}

  /// The effective value of an option; assigning sets it here.
  public subscript<Key: RequestOptionKey>(key: Key.Type) -> Key.Value {
    get {
      Self.find(key, in: own)?.value ?? Self.find(key, in: inherited)?.value ?? Key.defaultValue
    }
    set {
      let box = ValueBox<Key>(newValue)
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
  func all<Key: RequestOptionKey>(_ key: Key.Type) -> [Key.Value] {
    let identifier = ObjectIdentifier(key)
    let values = ((own ?? []) + (inherited ?? [])).lazy.filter { $0.key == identifier }
      .compactMap { ($0 as? ValueBox<Key>)?.value }
    return values.isEmpty ? [Key.defaultValue] : Array(values)
  }

  /// Whether the option is set here or inherited, be it to its default value.
  func isSetAnywhere<Key: RequestOptionKey>(_ key: Key.Type) -> Bool {
    Self.find(key, in: own) != nil || Self.find(key, in: inherited) != nil
  }

  /// Whether the option is set here, be it to its default value.
  public func isSet<Key: RequestOptionKey>(_ key: Key.Type) -> Bool {
    Self.find(key, in: own) != nil
  }

  /// Unsets an option, so that it inherits again.
  public mutating func unset<Key: RequestOptionKey>(_ key: Key.Type) {
    own?.removeAll { $0.key == ObjectIdentifier(key) }
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

  private static func find<Key: RequestOptionKey>(_ key: Key.Type, in boxes: [Box]?) -> ValueBox<Key>? {
    guard let boxes else { return nil }
    let identifier = ObjectIdentifier(key)
    for box in boxes where box.key == identifier {
      return box as? ValueBox<Key>
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
