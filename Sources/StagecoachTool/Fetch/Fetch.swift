#if Tool
  import Stagecoach
  import StagecoachCache
  import StagecoachXML

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

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
        result = .failure(Failures.explained(error, by: FetchCommand.self))
      }
      await transport?.shutdown()
      progress?.clear()
      if case .failure(let error) = result { Failures.tell(error) }
      if command.report != nil { try await printReport(result, transport?.note) }
      if case .failure(let error) = result { throw ExitStatus(of: error) }
    }

    private func exchange(over transport: NotingTransport) async throws -> FetchOutput {
      let request = try await command.makeRequest()
      let monitors: [any EventMonitor] =
        command.trace ? [log, TraceMonitor(advice: Advice(of: FetchCommand.self))] : [log]
      let schema = try await schema()
      let store = try await command.cache?.open(command.cacheSize.cacheSize)
      return try await command.policy.withClient(over: transport, monitors: monitors) { pipeline in
        if let schema { try pipeline.insert(SchemaValidation(schema), after: Validation.self) }
        if let store { try pipeline.insert(Cache(store), after: Cookies.self) }
      } run: { client in
        try await output(of: request, from: client)
      }
    }

    private func output(of request: Request, from client: Client) async throws -> FetchOutput {
      var request = request
      guard let path = command.output else {
        if command.form == .data {
          if command.report == nil {
            request.options.refusedBodyReader = refusedBody(to: standardOutput).take
          } else {
            request.options.errorBodyLimit = request.options.bodyLimit
          }
        }
        let output = try await client.value(for: request, as: try serializer(to: standardOutput))
        if command.report == nil { try await output.write(to: standardOutput) }
        return output
      }
      let file = try await FileWriter.open(path, existing: .overwrite, follows: true)
      let refused = refusedBody(to: file)
      request.options.refusedBodyReader = refused.take
      do {
        let output = try await client.value(for: request, as: try serializer(to: file))
        try await output.write(to: file)
        try Task.checkCancellation()
        try await file.commit()
        guard case .passedOn(let count) = output else { return output }
        return .saved(path, count)
      } catch {
        // The body of an error is worth keeping too, if there is one.
        if refused.isWhole { try await file.commit() } else { file.discard() }
        throw error
      }
    }

    private func refusedBody(to sink: any Sink) -> RefusedBody {
      RefusedBody(to: sink, limit: command.common.limit)
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
          limit: command.common.limit
        ) {
          $0
        }
      }
      switch command.schema != nil && command.output == nil ? .xml : command.form {
      case .auto: return command.output == nil ? AutoSerializer(raw: raw(to: sink)) : raw(to: sink)
      case .data: return raw(to: sink)
      case .text: return FetchTextSerializer().map(FetchOutput.text)
      case .json: return JSONValueResponseSerializer(accepting: .jsonOfAnyType).map(FetchOutput.json)
      case .xml: return XMLDocumentResponseSerializer().map { .xml($0.xmlString) }
      case .html: return HTMLDocumentResponseSerializer().map { .xml($0.node.htmlString) }
      case .plist: return PropertyListResponseSerializer<PropertyListTree>().map { .json($0.json) }
      case .form:
        return FormResponseSerializer<[URLQueryItem]>().map { .json($0.json) }
      case .sse:
        return ElementSerializer(
          base: ServerSentEventResponseSerializer(),
          sink: lines(to: sink),
          limit: command.common.limit,
          json: \.json
        )
      case .ndjson:
        return ElementSerializer(
          base: JSONLinesResponseSerializer<JSONValue>(),
          sink: lines(to: sink),
          limit: command.common.limit
        ) {
          $0
        }
      }
    }

    /// Reads the schema of `--schema`; the documents that it refers to are not read.
    private func schema() async throws -> XML.Schema? {
      guard let path = command.schema else { return nil }
      let content = try await BlockingQueue.files.run { try Descriptor.read(path, limit: 8 << 20) }
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
      return RawSerializer(accepts: accepts, sink: sink, limit: command.common.limit, progress: progress)
    }

    private func printReport(_ result: Result<FetchOutput, any Error>, _ last: NotingTransport.Note?)
      async throws
    {
      let report = Report(log: log, last: last, result: result)
      do {
        try await standardOutput.write(report.value.pretty, endsLine: true)
      } catch is BrokenPipe {}
    }
  }
#endif
