/// A key for an option of requests, with a name and a default value.
///
/// Define it as a constant, which is compared by identity, together with a property. Every stage can define its own:
///
/// ```swift
/// extension RequestOptions {
///   private static let mirror = RequestOption("mirror", default: false)
///
///   var mirror: Bool {
///     get { self[Self.mirror] }
///     set { self[Self.mirror] = newValue }
///   }
/// }
///
/// let request = Request.get("/file").with(\.mirror, true)
/// if request.options.mirror { print("to the mirror") }  // in the stage
/// ```
public final class RequestOption<Value: Sendable>: Sendable {
  /// The name in errors, such as `totalTimeout`.
  public let name: String
  /// The value if neither the request nor its client sets one.
  public let defaultValue: Value

  /// Whether requests with different values of this option are different, so that they cannot share an exchange.
  let distinguishes: Bool

  /// Creates an option. Another option with the same name is a different option.
  ///
  /// - Parameters:
  ///   - name: The name in errors.
  ///   - defaultValue: The value if neither the request nor its client sets one.
  ///   - distinguishes: Whether the option changes the request or the way it is sent. Requests that differ in such an
  ///     option do not share an exchange in stages that coalesce identical requests. `true` by default.
  public init(_ name: String, default defaultValue: Value, distinguishes: Bool = true) {
    self.name = name
    self.defaultValue = defaultValue
    self.distinguishes = distinguishes
  }
}
