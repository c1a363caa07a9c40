#if Tool
  import Stagecoach
  import StagecoachFixtures

  extension TourStep {
    /// Recordings.
    static var contractSteps: [TourStep] { [contract] }

    private static let contract = TourStep(
      title: "Record once, replay to the client, verify the service",
      code: """
        let recorder = Recorder(folder: folder)
        let recording = Pipeline(over: transport) { recorder }
        let replay = try ReplayTransport(folder: folder)
        let check = try Verification(contract: folder, against: changed)
        """,
      told: """
        → GET /inns/1
        ← 200 OK
        = recorded: Inn(name: "The Bell", beds: 4)
        = replayed: Inn(name: "The Bell", beds: 4)
        → GET /inns/1
        ← 200 OK
        = verified: agreed
        = beds gone: broken, body $: Actual map is missing the following keys: beds
        """,
      why: """
        The client is tested without the service, and the service by what the client
        relies on. Passwords, tokens and cookies are replaced before writing.
        """
    ) { tour in
      let (transport, folder) = (tour.transport, tour.folder + "/inn")
      let recorder = Recorder(folder: folder)
      let recording = Pipeline(over: transport) { recorder }
      let inn: Inn = try await tour.client(.standard(over: recording)).get("inns/1")
      try await recorder.finish()
      tour.print("recorded:", inn)
      let replay = try ReplayTransport(folder: folder)
      let again: Inn = try await tour.client(.standard(over: replay)).get("inns/1")
      try replay.finish()
      tour.print("replayed:", again)
      let report = try await Verification(contract: folder, against: transport, base: tour.url).run()
      tour.print("verified:", report.exchanges.map(\.outcome.rawValue).joined())
      let changed = HandlerTransport { _ in
        Response(.ok, fields: [.contentType: "application/json"], body: .bytes(#"{"name": "The Bell"}"#))
      }
      let check = try Verification(contract: folder, against: changed)
      for exchange in try await check.run().exchanges {
        let differences = exchange.differences.map { "\($0.place): \($0.message)" }
        tour.print("beds gone: \(exchange.outcome),", differences.joined(separator: ", "))
      }
    }
  }
#endif
