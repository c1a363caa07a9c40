extension Request {
  private static let fragmentOption = RequestOption<String?>("fragment", default: nil)

  /// The fragment of the target, without its `#`. It is never sent (RFC 9110 4.2.5).
  ///
  /// A redirect replaces or keeps it: the request of the final ``Response/request`` has the effective fragment (RFC
  /// 9110 10.2.2).
  public package(set) var fragment: String? {
    get { options[Self.fragmentOption] }
    set {
      // Few requests have a fragment, and the others stay small.
      if newValue != fragment { options[Self.fragmentOption] = newValue }
    }
  }
}
