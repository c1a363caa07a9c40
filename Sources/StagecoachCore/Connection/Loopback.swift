extension String {
  /// Whether a lower-cased host is the loopback host: `localhost`, a name under it, 127.0.0.0/8 or `[::1]`.
  package var isLoopbackHost: Bool {
    self == "localhost" || hasSuffix(".localhost") || self == "[::1]"
      || IPAddress(self)?.bytes.starts(with: [127]) == true
  }
}
