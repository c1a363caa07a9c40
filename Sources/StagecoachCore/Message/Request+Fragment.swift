extension Request {
  private static let fragmentOption = RequestOption<String?>("fragment", default: nil)

  /// The fragment of the target, without its `#`; never sent (RFC 9110 4.2.5).
  ///
  /// A redirect changes it, or hands it on: the request of the final ``Response/request`` has the one that counts
  /// (RFC 9110 10.2.2).
  public internal(set) var fragment: String? {
    get { options[Self.fragmentOption] }
    set {
      // Few requests have one, and the others stay as small as they are.
      if newValue != fragment { options[Self.fragmentOption] = newValue }
    }
  }
}
