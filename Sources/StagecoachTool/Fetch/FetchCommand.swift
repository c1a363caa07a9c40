#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach

  /// `stagecoach fetch`: one request, its body on standard output, all else on standard error.
  struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch",
      abstract: "Send a request and print what comes back.",
      discussion: """
        With --as auto the media type of the response decides: JSON is printed one member a line, XML and \
        text in UTF-8, everything else as it came. What says that it is longer than the 16 MiB that are held \
        in memory, and what goes to a file with --output, is passed on as it came. --limit bounds each of \
        these. The method is GET, or POST where there is a body to send.
        """
    )

    @Argument(help: "An absolute http or https URL.")
    var url: String

    @Option(name: .customShort("X"), help: ArgumentHelp("The request method.", valueName: "method"))
    var method: MethodArgument?

    @Option(
      name: .customShort("H"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("A field of the request, \"Name: value\". May be repeated.", valueName: "field")
    )
    var fieldArguments: [Concealed<FieldArgument>] = []

    @Option(
      name: .customLong("query"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("A parameter for the query, in order. May be repeated.", valueName: "name=value")
    )
    var queryArguments: [Concealed<ParameterArgument>] = []

    @Option(
      name: .customLong("form"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("A field of a form to send, in order. May be repeated.", valueName: "name=value")
    )
    var formFields: [Concealed<ParameterArgument>] = []

    @Option(
      name: .customLong("json"),
      parsing: .unconditional,
      help: ArgumentHelp("Send JSON: the text, or @ and the path of a file.", valueName: "text|@file")
    )
    var jsonArgument: Concealed<JSONArgument>?

    @Option(
      name: .customLong("part"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "A part of a multipart form to send, in order: a text, or @ and the path of a file, whose media type "
          + "is that of its extension or stands behind it. May be repeated.",
        valueName: "name=value|name=@file[;type=...]"
      )
    )
    var partArguments: [Concealed<PartArgument>] = []

    @Option(help: ArgumentHelp("Send a property list from a file, XML or binary.", valueName: "@file"))
    var plist: FileArgument?

    @Option(help: ArgumentHelp("Send a file as it is, read while it is sent.", valueName: "@file"))
    var body: FileArgument?

    @Option(
      name: .customLong("as"),
      help: "What to make of the body. Elements of sse and ndjson are printed as they come, one a line."
    )
    var form = BodyForm.auto

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Evaluate an XPath expression: prints its string, number or boolean, or the text of each node on a "
          + "line. Implies --as xml, unless --as html. The prefixes of the document may be used, and _ for the default "
          + "namespace of its root element.",
        valueName: "expression"
      )
    )
    var xpath: String?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Print each XML element at a path as a line of JSON, as it comes: names from the root element down, in any "
          + "namespace, or {namespace}name, or *. Attributes become @name, text beside them #text; "
          + "several of one local name become an array.",
        valueName: "a/b"
      )
    )
    var records: ElementPathArgument?

    @Option(
      help: ArgumentHelp(
        "Validate the response with a schema, in XML Schema or RELAX NG (XML syntax); what is no XML is refused. "
          + "Implies --as xml.",
        valueName: "file"
      )
    )
    var schema: String?

    @Option(help: ArgumentHelp("Write to a file, which appears once it is complete.", valueName: "file"))
    var output: String?

    @OptionGroup(title: "Connection and trust options")
    var connection: ConnectionArguments

    @OptionGroup(title: "Policy options")
    var policy: PolicyArguments

    @Option(
      help: ArgumentHelp(
        "The longest time for all of it; else 30 seconds for the head of the response, and for each pause of a body.",
        valueName: "seconds"
      )
    )
    var timeout: SecondsArgument?

    @Option(help: ArgumentHelp("The most bytes of body to take.", valueName: "bytes"))
    var limit: Int?

    @Flag(help: "Show on standard error what each stage does, and when.")
    var trace = false

    @Option(
      help: """
        Print one JSON object instead of the body: request, response, value or body (with bodyEncoding; with \
        --output its file and bytes), stages, timings (in milliseconds), error.
        """
    )
    var report: ReportForm?

    func fields() throws -> [FieldArgument] {
      try fieldArguments.map { try $0.value(of: "-H", as: "\"Name: value\"") }
    }

    func query() throws -> [ParameterArgument] {
      try queryArguments.map { try $0.value(of: "--query", as: "name=value") }
    }

    func formMembers() throws -> [ParameterArgument] {
      try formFields.map { try $0.value(of: "--form", as: "name=value") }
    }

    func json() throws -> JSONArgument? {
      try jsonArgument?.value(of: "--json", as: "JSON, or @ and the path of a file")
    }

    func parts() throws -> [PartArgument] {
      try partArguments.map { try $0.value(of: "--part", as: "name=value or name=@file[;type=...]") }
    }

    func validate() throws {
      _ = try (fields(), query(), formMembers(), json(), parts())
      try policy.validate(with: url)
      let contents = [
        ("--json", jsonArgument != nil), ("--body", body != nil), ("--plist", plist != nil),
        ("--form", !formFields.isEmpty),
        ("--part", !partArguments.isEmpty),
      ].filter(\.1).map(\.0)
      guard contents.count <= 1 else {
        throw ValidationError("\(contents.joined(separator: " and ")) exclude each other")
      }
      if xpath != nil, form != .auto, form != .xml, form != .html {
        throw ValidationError("--xpath needs --as xml or html, not --as \(form.rawValue)")
      }
      if records != nil, xpath != nil { throw ValidationError("--records and --xpath exclude each other") }
      if records != nil, form != .auto, form != .xml {
        throw ValidationError("--records needs --as xml, not --as \(form.rawValue)")
      }
      if schema != nil, form != .auto, form != .xml {
        throw ValidationError("--schema needs --as xml, not --as \(form.rawValue)")
      }
      if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
    }

    func run() async throws {
      try await Fetch(self).run()
    }
  }
#endif
