/// Observers of a request, besides the monitors of the client; none by default.
///
/// Those of the request stand in place of those of the client's defaults, as with every option. Of requests that
/// share an exchange, as below ``Coalescing``, the observers of the first see what happens there.
public enum MonitorsOption: RequestOptionKey {
  /// None.
  public static let defaultValue: [any EventMonitor] = []
  /// `monitors`
  public static let name = "monitors"
}

extension RequestOptions {
  /// See ``MonitorsOption``.
  public var monitors: [any EventMonitor] {
    get { self[MonitorsOption.self] }
    set { self[MonitorsOption.self] = newValue }
  }
}
