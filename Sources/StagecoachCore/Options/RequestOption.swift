/// An option of requests: its name, and what it is where neither the request nor its client sets it.
///
/// It is a constant, whose identity counts, with a property beside it. Any stage has its own:
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
/// // in the stage:
/// if request.options.mirror { /* ... */ }
/// ```
public final class RequestOption<Value: Sendable>: Sendable {
  /// The name that errors use, such as `totalTimeout`.
  public let name: String
  /// The value where nobody sets one.
  public let defaultValue: Value

  /// An option, made once: another of the same name is another one.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }
}
