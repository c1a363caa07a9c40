extension Pipeline {
  /// The standard chain over a transport: every stage of the library that a client should have unless
  /// its author decides otherwise, in the order that keeps each of them right.
  ///
  /// Each call makes stages of its own: a jar of cookies, a store of credentials without any, a budget for retries.
  public static func standard(over transport: any Transport) -> Pipeline {
    Pipeline(over: transport) {
      Validation()
      Redirects()
      Retry()
      Authentication()
      Cookies()
    }
  }
}
