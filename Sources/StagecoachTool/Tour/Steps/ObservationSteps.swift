#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Steps for observing exchanges.
    static var observationSteps: [TourStep] { [curl, waterfall] }

    private static let curl = TourStep("curl-command", "A request as a command line, without its secrets") {
      tour in
      var request = Request.post("/echo?token=secret", body: .bytes(#"{"a":1}"#))
      request.fields[.contentType] = "application/json"
      request.fields[.authorization] = "Bearer secret"
      let response = try await tour.client.send(request)
      let command = response.request.map { CURLCommand($0).line }
      response.body.cancel()
      tour.expect("the command", command, "one without secrets") { command in
        command?.contains("'Authorization: [redacted]'") == true && command?.contains("secret") == false
      }
      let end = "--data-raw '{\"a\":1}' --globoff '\(tour.origin.url)/echo?token=[redacted]'"
      tour.expect("it ends in content and URL", command?.hasSuffix(end), true)
      tour.expect("the origin saw", try await tour.seen("/echo")["Authorization"], "Bearer secret")
    }

    private static let waterfall = TourStep("waterfall", "Where the time of an exchange went") { tour in
      let charts = Shared<[Waterfall]>([])
      var request = Request.get("/retry/1?key=waterfall&after=0")
      request.options.monitors = [WaterfallMonitor { chart in charts.update { $0.append(chart) } }]
      let response = try await tour.client.response(for: request, as: .data)
      tour.expect("charts", charts.value.count, 1)
      let chart = charts.value.first
      tour.expect("attempts", chart?.attempts.map(\.number), [1, 2])
      let waits = chart?.attempts.flatMap(\.phases).filter { $0.activity == .head } ?? []
      tour.expect("heads waited for, one after the other", waits.count, "2") { count in
        count == 2 && waits[0].end <= waits[1].start
      }
      let bars = chart?.description.split(separator: "\n").filter { $0.contains("█") } ?? []
      tour.expect("bars", bars.count, "one a phase") {
        $0 == chart?.attempts.reduce(0) { $0 + $1.phases.count }
      }
      let hop = response.history.first
      tour.expect("the first attempt in the history", hop?.duration, "some time") { $0 ?? .zero > .zero }
      tour.expect("the origin saw", tour.origin.requests.count, 2)
    }
  }
#endif
