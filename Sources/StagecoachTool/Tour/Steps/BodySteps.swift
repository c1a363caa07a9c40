#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Bodies that are read while they come.
    static var bodySteps: [TourStep] { [stream, dropped, concurrent] }

    private static let stream = TourStep("stream", "A body of 1 MiB, read chunk by chunk") { tour in
      let length = 1 << 20
      let response = try await tour.client.send(.get("/bytes/\(length)"))
      tour.expect("declared length", response.body.length, Int64(length))
      var position = 0
      var chunks = 0
      var isRight = true
      for try await chunk in response.body {
        isRight =
          isRight
          && chunk.withUnsafeBytes { bytes in
            bytes.indices.allSatisfy { bytes[$0] == UInt8((position + $0) % 251) }
          }
        position += chunk.count
        chunks += 1
      }
      tour.expect("bytes read", position, length)
      tour.expect("chunks", chunks, "several") { $0 > 1 }
      tour.expect("every byte is right", isRight, true)
      await tour.expectFailure("reading it again", .bodyAlreadyRead) {
        for try await _ in response.body {}
      }
      tour.expect("the origin saw", try await tour.seen("/bytes/\(length)").method, "GET")
    }

    private static let dropped = TourStep(
      "dropped-body",
      "A body that is dropped unread closes its connection"
    ) {
      tour in
      let length = 1 << 30
      let before = tour.origin.bytesSent
      var response: Response? = try await tour.client.send(.get("/bytes/\(length)"))
      tour.expect("declared length", response?.body.length, Int64(length))
      tour.expect("the origin saw", try await tour.seen("/bytes/\(length)").method, "GET")
      let open = tour.origin.openConnections
      response = nil
      try await tour.expectSoon("the origin saw its connection close") { tour.origin.openConnections < open }
      let sent = tour.origin.bytesSent - before
      tour.expect("sent before that", Int64(sent).byteCount, "less than 64 MiB") { _ in sent < 64 << 20 }
    }

    private static let concurrent = TourStep(
      "concurrent",
      "A hundred requests at once, none gets another's answer"
    ) {
      tour in
      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<100 {
          group.addTask {
            let echo = try await tour.client.get("/echo", .query(["number": .int(number)]), as: .jsonValue)
            return echo["query"]?.stringValue == "number=\(number)"
          }
        }
        return try await group.reduce(into: 0) { count, isRight in count += isRight ? 1 : 0 }
      }
      tour.expect("right answers", right, 100)
      tour.expect(
        "different requests that the origin saw",
        Set(tour.origin.requests.map(\.target)).count,
        100
      )
    }
  }
#endif
