/// The most bytes of one element of a body that is read element by element: a line, a JSON text, the data
/// of a server-sent event; 1 MiB by default.
///
/// Nothing else bounds such a body, which may be endless: ``BodyLimit`` is for bodies that are collected.
public enum ElementLimit: RequestOptionKey {
  /// 1 MiB.
  public static let defaultValue = 1024 * 1024
  /// `elementLimit`
  public static let name = "elementLimit"
}

extension RequestOptions {
  /// See ``ElementLimit``.
  public var elementLimit: Int {
    get { self[ElementLimit.self] }
    set { self[ElementLimit.self] = newValue }
  }
}

extension Response {
  /// The limit that the request sets for elements.
  var elementLimit: Int { request?.options.elementLimit ?? ElementLimit.defaultValue }
}
