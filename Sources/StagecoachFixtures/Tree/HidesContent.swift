/// A type that contains secrets: it has neither a description nor a mirror of its content.
protocol HidesContent: CustomStringConvertible, CustomReflectable {}

extension HidesContent {
  /// The name of the type.
  var description: String { "\(Self.self)" }

  /// A mirror without children.
  var customMirror: Mirror { Mirror(self, children: []) }
}
