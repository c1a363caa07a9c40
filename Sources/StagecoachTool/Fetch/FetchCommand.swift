#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach

  /// `stagecoach fetch`: one request, its body on standard output, all else on standard error.
  struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch",
      abstract: "Send a request and print the response.",
      discussion: """
        With --as auto the media type of the response decides: JSON is printed with one member per line, \
        XML and text in UTF-8, everything else unchanged. A response whose declared length exceeds the \
        16 MiB that are kept in memory, and one written to a file with --output, is not changed. --limit \
        applies to all of these. The method is GET, or POST if there is a body to send. Where a file is sent, \
        @- stands for standard input, which can be sent only once.
        """
    )

    @Argument(help: "An absolute http or https URL.")
    var url: String

    @Option(name: .customShort("X"), help: ArgumentHelp("The request method.", valueName: "method"))
    var method: MethodArgument?

    @Option(
      name: .customLong("query"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("A query parameter. May be repeated; the order is kept.", valueName: "name=value")
    )
    var queryArguments: [Concealed<ParameterArgument>] = []

    @Option(
      name: .customLong("form"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp("A form field to send. May be repeated; the order is kept.", valueName: "name=value")
    )
    var formFields: [Concealed<ParameterArgument>] = []

    @Option(
      name: .customLong("json"),
      parsing: .unconditional,
      help: ArgumentHelp("Send JSON: a text, or @ and the path of a file.", valueName: "text|@file|@-")
    )
    var jsonArgument: Concealed<JSONArgument>?

    @Option(
      name: .customLong("part"),
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "A part of a multipart form to send: a text, or @ and the path of a file. The media type of a file is "
          + "derived from its extension unless it follows the path. May be repeated; the order is kept.",
        valueName: "name=value|name=@file[;type=...]"
      )
    )
    var partArguments: [Concealed<PartArgument>] = []

    @Option(help: ArgumentHelp("Send a property list from a file, XML or binary.", valueName: "@file|@-"))
    var plist: FileArgument?

    @Option(help: ArgumentHelp("Send a file unchanged, read while it is sent.", valueName: "@file|@-"))
    var body: FileArgument?

    @Option(
      name: .customLong("as"),
      help: "How to decode the body. Elements of sse and ndjson are printed as they arrive, one per line."
    )
    var form = BodyForm.auto

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Evaluate an XPath expression and print its string, number or boolean, or the text of each node on a "
          + "line. Implies --as xml, unless --as html. It can use the prefixes of the document, and _ for the default "
          + "namespace of its root element.",
        valueName: "expression"
      )
    )
    var xpath: String?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Print each XML element at a path as a line of JSON, as it arrives: names from the root element down, in any "
          + "namespace, or {namespace}name, or *. Attributes become @name, text next to them #text; "
          + "several with the same local name become an array.",
        valueName: "a/b"
      )
    )
    var records: ElementPathArgument?

    @Option(
      help: ArgumentHelp(
        "Validate the response with a schema, in XML Schema or RELAX NG (XML syntax). Anything but XML is refused. "
          + "Implies --as xml.",
        valueName: "file"
      )
    )
    var schema: String?

    @Option(
      help: ArgumentHelp(
        "Write the body to a file, which appears when it is complete. That of an unexpected status is written too, "
          + "with exit code 1. Without --as, the file is what the server published: no content coding is asked for, "
          + "and none is undone.",
        valueName: "file"
      )
    )
    var output: String?

    @Flag(
      help: """
        With --output, ask for a content coding (gzip and others) and write the decoded body. Without --output this \
        is always so.
        """
    )
    var compressed = false

    @Option(help: ArgumentHelp("Use the HTTP cache in a folder.", valueName: "folder"))
    var cache: CacheFolder?

    @OptionGroup var cacheSize: CacheSizeArguments

    @OptionGroup(title: "Request and limit options")
    var common: CommonArguments

    @OptionGroup(title: "Connection and trust options")
    var connection: ConnectionArguments

    @OptionGroup(title: "Policy options")
    var policy: PolicyArguments

    @Flag(help: "Show on standard error what each stage does and when.")
    var trace = false

    @Option(
      help: """
        Print a JSON object instead of the body: request, response, value or body (with bodyEncoding; with \
        --output the file and its size), stages, timings (in milliseconds), error.
        """
    )
    var report: ReportForm?

    /// Whether the body goes to a file with the content coding that the server gave it.
    var keepsContentCoding: Bool {
      output != nil && !compressed && (form == .auto || form == .data) && xpath == nil && records == nil
        && schema == nil
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
      _ = try (query(), formMembers(), json())
      guard try parts().count(where: \.isStandardInput) <= 1 else {
        throw ValidationError("only one --part can be @-, standard input")
      }
      try policy.validate(with: url)
      if cache?.path == "memory" {
        throw ValidationError("--cache memory is for proxy: fetch takes a folder, also ./memory")
      }
      try cache?.validate(with: connection)
      try cacheSize.validate(hasCache: cache != nil)
      let contents = [
        ("--json", jsonArgument != nil), ("--body", body != nil), ("--plist", plist != nil),
        ("--form", !formFields.isEmpty),
        ("--part", !partArguments.isEmpty),
      ].filter(\.1).map(\.0)
      guard contents.count <= 1 else {
        throw ValidationError("\(contents.joined(separator: " and ")) cannot be combined")
      }
      if xpath != nil, form != .auto, form != .xml, form != .html {
        throw ValidationError("--xpath requires --as xml or html, not --as \(form.rawValue)")
      }
      if records != nil, xpath != nil { throw ValidationError("--records and --xpath cannot be combined") }
      if records != nil, form != .auto, form != .xml {
        throw ValidationError("--records requires --as xml, not --as \(form.rawValue)")
      }
      if schema != nil, form != .auto, form != .xml {
        throw ValidationError("--schema requires --as xml, not --as \(form.rawValue)")
      }
    }

    func run() async throws {
      try await Fetch(self).run()
    }
  }
#endif
