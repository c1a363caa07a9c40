#if Tool
  import ArgumentParser

  /// An argument that may be secret, so that errors do not quote it.
  ///
  /// The parser's own errors quote arguments, and standard error may be logged.
  struct Concealed<Value: ExpressibleByArgument>: ExpressibleByArgument {
    private let parsed: Value?

    init(argument: String) {
      parsed = Value(argument: argument)
    }

    /// The value.
    ///
    /// - Throws: `ValidationError` if it has another form.
    func value(of option: String, as form: String) throws -> Value {
      guard let parsed else { throw ValidationError("invalid value for \(option) (expected \(form))") }
      return parsed
    }
  }
#endif
