#if Tool
  import ArgumentParser

  /// An argument that may hold a secret: what is wrong with it is told without it.
  ///
  /// The parser's own errors quote what was given, and standard error ends up in logs.
  struct Concealed<Value: ExpressibleByArgument>: ExpressibleByArgument {
    private let parsed: Value?

    init(argument: String) {
      parsed = Value(argument: argument)
    }

    /// The value.
    ///
    /// - Throws: `ValidationError` if it has another form.
    func value(of option: String, as form: String) throws -> Value {
      guard let parsed else { throw ValidationError("\(option) takes \(form), and not what it was given") }
      return parsed
    }
  }
#endif
