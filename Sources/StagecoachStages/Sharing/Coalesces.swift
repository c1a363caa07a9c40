public import StagecoachCore

extension RequestOptions {
  package static let coalesces = RequestOption<Bool>("coalesces", default: true, distinguishes: false)

  /// Whether the request may share an exchange with identical requests, if there is a `Coalescing` stage; `true` by
  /// default.
  public var coalesces: Bool {
    get { self[Self.coalesces] }
    set { self[Self.coalesces] = newValue }
  }
}
