#if Tool
  import ArgumentParser
  import Foundation
  import StagecoachFixtures

  /// Options that name further secrets of a recording.
  struct RedactionArguments: ParsableArguments {
    @Option(
      name: .customLong("secret"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "A secret by the name of its placeholder. Without a value, that is read from the environment variable NAME. May "
          + "be repeated.",
        valueName: "name[=value]"
      )
    )
    var secretArguments: [Concealed<SecretArgument>] = []

    @Option(
      name: .customLong("redact"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "Replace the values with this name, or at this path: $.user.pin, query.code. May be repeated.",
        valueName: "name|path"
      )
    )
    var redacted: [String] = []

    @Option(
      name: .customLong("keep"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "Keep the values with this name, or at this path. May be repeated.",
        valueName: "name|path"
      )
    )
    var kept: [String] = []

    static let discussion = """
      A file redaction.json in the folder of the scenario, or in the nearest folder above it, does the same for a project: \
      {"redact": [NAME or PATH], "keep": [NAME or PATH]}.
      """

    func validate() throws { _ = try options() }

    func options() throws -> RedactionOptions {
      var options = RedactionOptions()
      for argument in secretArguments {
        let secret = try argument.value(of: "--secret", as: "NAME or NAME=VALUE")
        options.secrets[secret.name] = try secret.value()
      }
      for entry in redacted { options.redact(try Self.checked(entry, "--redact")) }
      for entry in kept { options.keep(try Self.checked(entry, "--keep")) }
      return options
    }

    private static func checked(_ entry: String, _ option: String) throws -> String {
      guard RedactionOptions.isNameOrPath(entry) else {
        throw ValidationError("\(option) takes a name or a path; values are given with --secret NAME=VALUE")
      }
      return entry
    }
  }

  /// `NAME=VALUE`, or `NAME` of an environment variable.
  struct SecretArgument: ExpressibleByArgument {
    let name: String
    private let given: String?

    init?(argument: String) {
      let equals = argument.firstIndex(of: "=")
      name = String(argument[..<(equals ?? argument.endIndex)])
      given = equals.map { String(argument[argument.index(after: $0)...]) }
      guard !name.isEmpty else { return nil }
    }

    func value() throws -> String {
      if let given, !given.isEmpty { return given }
      guard given == nil else { throw ValidationError("--secret \(name)= has no value") }
      guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
        throw ValidationError(
          "--secret \(name): there is no environment variable of this name; set it, or give \(name)=VALUE"
        )
      }
      return value
    }
  }
#endif
