#if Tool
  import Stagecoach
  import StagecoachXML

  /// One run of `stagecoach fetch`.
  struct Fetch {
    private let command: FetchCommand
    private let log = EventLog()
    private let standardOutput = StandardOutput()
    private let progress: ProgressBar?

    init(_ command: FetchCommand) {
      self.command = command
      let hasBar = command.output != nil && !command.trace && StandardError.isTerminal
      progress = hasBar ? ProgressBar() : nil
    }

    /// Sends the request and prints what comes of it.
    ///
    /// - Throws: ``ExitStatus`` unless all went well; the reason is on standard error then.
    func run() async throws {
      let result: Result<FetchOutput, any Error>
      var transport: NotingTransport?
      do {
        let made = NotingTransport(try await command.connection.makeTransport())
        transport = made
        result = .success(try await exchange(over: made))
      } catch {
        result = .failure(Self.explained(error))
      }
      await transport?.shutdown()
      progress?.clear()
      if case .failure(let error) = result { Self.tell(error) }
      if command.report != nil { try await printReport(result, transport?.note) }
      if case .failure(let error) = result { throw ExitStatus(of: error) }
    }

    private func exchange(over transport: NotingTransport) async throws -> FetchOutput {
      let request = try await command.makeRequest()
      let monitors: [any EventMonitor] = command.trace ? [log, TraceMonitor()] : [log]
      var (pipeline, cookies) = try await command.policy.pipeline(over: transport)
      if let path = command.schema {
        try pipeline.insert(SchemaValidation(try await Self.schema(at: path)), after: Validation.self)
      }
      let client = try Client(pipeline, configuration: .init(monitors: monitors))
      // Cookies of a failed exchange are saved too.
      let output: FetchOutput
      do {
        output = try await self.output(of: request, from: client)
      } catch {
        do {
          try await cookies?.save()
        } catch let second {
          // The first error is the original reason.
          Self.tell(second)
        }
        throw error
      }
      try await cookies?.save()
      return output
    }

    private func output(of request: Request, from client: Client) async throws -> FetchOutput {
      guard let path = command.output else {
        let output = try await client.value(for: request, as: try serializer(to: standardOutput))
        if command.report == nil { try await output.write(to: standardOutput) }
        return output
      }
      let file = try await FileWriter.open(path, existing: .overwrite, follows: true)
      do {
        let output = try await client.value(for: request, as: try serializer(to: file))
        try await output.write(to: file)
        try Task.checkCancellation()
        try await file.commit()
        guard case .passedOn(let count) = output else { return output }
        return .saved(path, count)
      } catch {
        file.discard()
        throw error
      }
    }

    private func serializer(to sink: any Sink) throws -> any ResponseSerializer<FetchOutput> {
      if let expression = command.xpath {
        let query = try XPathQuery(expression)
        return command.form == .html
          ? HTMLDocumentResponseSerializer().map { try query.evaluate(in: $0) }
          : XMLDocumentResponseSerializer().map { try query.evaluate(in: $0) }
      }
      if let path = command.records?.path {
        return ElementSerializer(
          base: XMLRecordsResponseSerializer(path) { $0.element.json },
          sink: lines(to: sink),
          limit: command.limit
        ) {
          $0
        }
      }
      switch command.schema != nil && command.output == nil ? .xml : command.form {
      case .auto: return command.output == nil ? AutoSerializer(raw: raw(to: sink)) : raw(to: sink)
      case .data: return raw(to: sink)
      case .text: return TextResponseSerializer().map(FetchOutput.text)
      case .json: return JSONValueResponseSerializer().map(FetchOutput.json)
      case .xml: return XMLDocumentResponseSerializer().map { .xml($0.xmlString) }
      case .html: return HTMLDocumentResponseSerializer().map { .xml($0.node.htmlString) }
      case .plist: return PropertyListResponseSerializer<PropertyListTree>().map { .json($0.json) }
      case .form: return ParametersResponseSerializer().map { .json(try $0.json(in: QueryEncoder())) }
      case .sse:
        return ElementSerializer(
          base: ServerSentEventResponseSerializer(),
          sink: lines(to: sink),
          limit: command.limit,
          json: \.json
        )
      case .ndjson:
        return ElementSerializer(
          base: JSONLinesResponseSerializer<JSONValue>(),
          sink: lines(to: sink),
          limit: command.limit
        ) {
          $0
        }
      }
    }

    /// Reads the schema in a file; the documents that it refers to are not read.
    private static func schema(at path: String) async throws -> XML.Schema {
      let limit = XML.Schema.Limits().size
      let content = try await BlockingQueue.files.run { try Descriptor.read(path, limit: limit) }
      do {
        return try XML.Schema(Bytes(content))
      } catch {
        throw ExchangeError(.file, "invalid schema \(path): \(error)", underlying: error)
      }
    }

    /// Returns the sink for elements as they arrive; `nil` if they are needed for a report.
    private func lines(to sink: any Sink) -> (any Sink)? {
      command.report == nil || command.output != nil ? sink : nil
    }

    /// Passes bytes on, unless a report needs them.
    private func raw(to sink: any Sink) -> any ResponseSerializer<FetchOutput> {
      guard command.report == nil || command.output != nil else {
        return DataResponseSerializer().map(FetchOutput.bytes)
      }
      // A schema requires XML.
      let accepts =
        command.schema == nil ? Acceptance(mediaTypes: [.any]) : XMLDocumentResponseSerializer().accepts
      return RawSerializer(accepts: accepts, sink: sink, limit: command.limit, progress: progress)
    }

    private func printReport(_ result: Result<FetchOutput, any Error>, _ last: NotingTransport.Note?)
      async throws
    {
      let report = Report(log: log, last: last, result: result)
      do {
        try await standardOutput.write(report.value.pretty, endsLine: true)
      } catch is BrokenPipe {}
    }

    // MARK: Errors

    /// Replaces the library's options in advice by the options of this tool.
    private static func explained(_ error: any Error) -> any Error {
      guard var error = error as? ExchangeError else { return error }
      if error.stage.isEmpty { error.stage = "fetch" }
      switch error.kind {
      case .limit(.body): error.advice = "raise --limit, or use --as data or --output to stream the body"
      case .timeout(.total), .timeout(.head), .timeout(.idle): error.advice = "raise --timeout"
      default: break
      }
      return error
    }

    private static func tell(_ error: any Error) {
      switch error {
      case is CancellationError: StandardError.write("stagecoach: interrupted\n")
      case is BrokenPipe: break
      case let error as ExchangeError where error.underlying is BrokenPipe: break
      default: StandardError.write("\(error)\n")
      }
    }
  }
#endif
