public import StagecoachCore

extension RequestOptions {
  static let elementLimit = RequestOption<Int>("elementLimit", default: 1024 * 1024, distinguishes: false)

  /// The maximum size of one element of a body that is read element by element, in bytes; 1 MiB by default. An element
  /// is a line, a JSON text, or the data of a server-sent event.
  ///
  /// It is the only limit of such a body, which may be endless: ``RequestOptions/bodyLimit`` applies to bodies that are
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
