extension RequestOptions {
  static let monitors = RequestOption<[any EventMonitor]>("monitors", default: [])

  /// Observers of a request, besides the monitors of the client; none by default.
  ///
  /// Those of the request stand in place of those of the client's defaults, as with every option. Of requests that
  /// share an exchange, as below ``Coalescing``, the observers of the first see what happens there.
  public var monitors: [any EventMonitor] {
    get { self[Self.monitors] }
    set { self[Self.monitors] = newValue }
  }
}
