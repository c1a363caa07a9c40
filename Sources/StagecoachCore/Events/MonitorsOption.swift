extension RequestOptions {
  static let monitors = RequestOption<[any EventMonitor]>("monitors", default: [], distinguishes: false)

  /// The observers of a request, in addition to the monitors of the client; none by default.
  ///
  /// As with every option, a value of the request replaces the value of the client's defaults. If several requests
  /// share an exchange, as below `Coalescing`, only the observers of the first request see its events.
  public var monitors: [any EventMonitor] {
    get { self[Self.monitors] }
    set { self[Self.monitors] = newValue }
  }
}
