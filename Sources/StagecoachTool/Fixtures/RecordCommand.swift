#if Tool
  import ArgumentParser
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
  import StagecoachOrigin
  import Synchronization

  /// `stagecoach record`: a reverse proxy that records.
  struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record",
      abstract: "Pass requests on to a service and record its replies.",
      discussion: """
        Send requests to the address that is printed. Each exchange that is complete is written to the folder of the \
        scenario, as the service sent it; to the client, redirects to the service lead here, and cookies lose its \
        domain. A request is sent again, and recorded once, if only its connection failed: one that had been kept, if the \
        method is idempotent, or one on which the service did not look at it. Over an existing scenario, an unchanged \
        service changes nothing: times, dates, UUIDs, nonces and chunks stay as they were, and so does what was written \
        by hand. What is refused here, as a WebSocket handshake or a request for another host, is not recorded.

        Secrets are replaced, and what was replaced is listed at the end. An exchange that cannot be written without one \
        is told at once; only its method and path are written. \(RedactionArguments.discussion)

        \(ListeningArguments.pace) Ends with 0 on SIGINT and SIGTERM, and with 1 if an exchange was not written.
        """
    )

    @Option(help: ArgumentHelp("The service that answers.", valueName: "url"))
    var upstream: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The folder of the scenario.", valueName: "folder"))
    var folder: String

    @Option(help: "The title of the scenario.")
    var title: String?

    @Flag(
      help:
        "Give values of JSON, XML, forms and queries that differ from the existing scenario rules for their form."
    )
    var infer = false

    @OptionGroup(title: "Secrets") var redaction: RedactionArguments
    @OptionGroup var listening: ListeningArguments
    @OptionGroup(title: "Limits") var limits: UpstreamLimits
    @OptionGroup(title: "Connections") var connections: ConnectionArguments

    func validate() throws {
      _ = try Upstream(upstream, limits, of: Self.self)
    }

    func run() async throws {
      let base = self.upstream.hasSuffix("/") ? String(self.upstream.dropLast()) : self.upstream
      let upstream = try Upstream(self.upstream, limits, of: Self.self)
      // What cannot be read should be known before anything is sent: a scenario is not replaced then.
      let redaction = try redaction.options()
      _ = try RedactionOptions(redaction, for: folder)
      if FileManager.default.fileExists(atPath: "\(folder)/scenario.json") {
        _ = try Scenario(folder: folder)
      }
      let recorder = Recorder(
        folder: folder,
        title: title,
        base: base,
        redaction: redaction,
        infersRules: infer,
        onOmission: { StandardError.write("stagecoach: not recorded: \(Format.oneLine($0))\n") }
      )
      let pipeline = Pipeline(over: try await connections.makeTransport(isForProxy: true)) {
        recorder
        Upstream.resending
      }
      Interruption.savesData.store(true, ordering: .relaxed)
      try await listening.serve(standingFor: [upstream.url]) { places in
        let isLoop = connections.unixSocket == nil && places.isLoop
        return { request in
          guard !isLoop else { return ProxyRefusal.loop.response }
          if let refusal = ProxyRefusal.answer(request, at: places, prefix: upstream.prefix) {
            return refusal
          }
          // A client that sends its content wrongly or too slowly is answered by the server.
          let request = try await upstream.direct(request)
          do {
            var response = try await pipeline.send(request)
            guard response.status.code >= 200 else { return ProxyRefusal.informational.response }
            response.fields = UpstreamFields.local(response.fields, base: base)
            return response
          } catch let error as ExchangeError where error.kind != .requestBody {
            upstream.log(error)
            guard Scenario.Outcome(error) != nil else { return Response(unrecorded: error.message) }
            return ProxyRefusal(because: error).response
          } catch  where !(error is ExchangeError || error is CancellationError) {
            let text = Format.describe(error)
            StandardError.write("stagecoach: \(text)\n")
            return Response(unrecorded: text)
          }
        }
      }
      let summary = try await Task { [recorder] in
        await pipeline.shutdown()
        return try await recorder.finish()
      }.value
      let output = VerdictOutput()
      for line in summary.lines { try await output.write(Format.oneLine(line)) }
      guard summary.omitted.isEmpty else { throw ExitStatus.refused }
    }
  }
#endif
