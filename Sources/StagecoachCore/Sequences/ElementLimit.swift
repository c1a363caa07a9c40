extension RequestOptions {
  static let elementLimit = RequestOption<Int>("elementLimit", default: 1024 * 1024)

  /// The most bytes of one element of a body that is read element by element: a line, a JSON text, the data
  /// of a server-sent event; 1 MiB by default.
  ///
  /// Nothing else bounds such a body, which may be endless: ``RequestOptions/bodyLimit`` is for bodies that are
  /// collected.
  public var elementLimit: Int {
    get { self[Self.elementLimit] }
    set { self[Self.elementLimit] = newValue }
  }
}

extension Response {
  /// The limit that the request sets for elements.
  var elementLimit: Int { request?.options.elementLimit ?? RequestOptions.elementLimit.defaultValue }
}
