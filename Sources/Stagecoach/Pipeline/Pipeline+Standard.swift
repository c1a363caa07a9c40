extension Pipeline {
  /// The standard chain over a transport: every stage of the library that a client should have unless
  /// its author decides otherwise, in the order that keeps each of them right.
  public static func standard(over transport: any Transport) -> Pipeline {
    Pipeline(over: transport) {
      Validation()
    }
  }
}
