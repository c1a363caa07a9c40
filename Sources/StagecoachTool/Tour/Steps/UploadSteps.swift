#if Tool
  import HTTPTypes
  import Stagecoach
  import StagecoachOrigin

  extension TourStep {
    /// Bodies that are too long to be held in memory.
    static var uploadSteps: [TourStep] { [file, once, restartable] }

    private static let content = patternBytes(300_000)

    private static let file = TourStep("upload-file", "A file and a range of it, read while they are sent") {
      tour in
      let path = try TemporaryFile(content)
      let receipt: Receipt = try await tour.client.value(
        for: .put("/upload", body: .file(path.path)),
        as: .json()
      )
      let seen = try await tour.seen("/upload")
      tour.expect("the origin saw, declared", seen["Content-Length"], "\(content.count)")
      tour.expect("the origin saw, counted", seen.bodyLength, content.count)
      tour.expect("receipt", receipt, Receipt(for: content))
      let range: Receipt = try await tour.client.value(
        for: .put("/upload", body: .file(path.path, range: 1000..<2000)),
        as: .json()
      )
      tour.expect("receipt for a range", range, Receipt(for: Array(content[1000..<2000])))
    }

    private static let once = TourStep("upload-once", "A stream of unknown length, which exists once") {
      tour in
      let (chunks, continuation) = AsyncStream.makeStream(of: Bytes.self)
      for start in stride(from: 0, to: content.count, by: 50_000) {
        continuation.yield(Bytes(content[start..<start + 50_000]))
      }
      continuation.finish()
      let body = Request.Body.oneShot(chunks, length: nil)
      let receipt: Receipt = try await tour.client.value(for: .post("/upload", body: body), as: .json())
      let seen = try await tour.seen("/upload")
      tour.expect("Transfer-Encoding", seen["Transfer-Encoding"], "chunked")
      tour.expect("receipt", receipt, Receipt(for: content))
      await tour.expectFailure("sending it again", .bodyNotReplayable) {
        try await tour.client.value(for: .post("/echo", body: body), as: .data)
      }
    }

    private static let restartable = TourStep(
      "upload-stream",
      "A stream that is made anew each time it is sent"
    ) {
      tour in
      let request = Request.post(
        "/upload",
        body: .stream(length: 6) {
          AsyncStream {
            $0.yield("coa"); $0.yield("ch!"); $0.finish()
          }
        }
      )
      for attempt in 1...2 {
        let receipt: Receipt = try await tour.client.value(for: request, as: .json())
        tour.expect("receipt \(attempt)", receipt, Receipt(for: Array("coach!".utf8)))
        tour.expect("Content-Length", try await tour.seen("/upload")["Content-Length"], "6")
      }
      let wrong = Request.post(
        "/upload",
        body: .stream(length: 7) {
          AsyncStream {
            $0.yield("six"); $0.finish()
          }
        }
      )
      await tour.expectFailure("a body shorter than it declared", .requestBody) {
        try await tour.client.value(for: wrong, as: .data)
      }
    }
  }
#endif
