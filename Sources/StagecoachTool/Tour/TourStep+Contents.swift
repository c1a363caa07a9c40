#if Tool
  import Stagecoach
  import StagecoachTransfers
  import StagecoachXML

  extension TourStep {
    /// Contents that are coded, streamed, or too large for one connection.
    static var contentSteps: [TourStep] { [gzip, records, download] }

    private static let codings = ContentDecoding.builtInCodings.map(\.name).joined(separator: ", ")

    private static let gzip = TourStep(
      title: "Gzip is asked for and undone",
      code: """
        let coaches: [Coach] = try await client.get("timetable")
        """,
      told: """
        → GET /timetable  Accept-Encoding: \(codings)
        ← 200 OK  Content-Encoding: gzip
        ContentDecoding  decoding gzip
        = 200 coaches
        """,
      why: """
        The stage that asks for a coding is the one that decodes it, with a limit on
        what a small body may become. Serializers never see coded bytes.
        """,
      fields: [.acceptEncoding, .contentEncoding]
    ) { tour in
      let client = try tour.client()
      let coaches: [Coach] = try await client.get("timetable")
      tour.print(coaches.count, "coaches")
    }

    private static let records = TourStep(
      title: "XML is read record by record, while it arrives",
      code: """
        let coaches = try await client.get(
          "arrivals", as: .xmlRecords("day/coach", as: Coach.self))
        for try await coach in coaches { read(coach) }
        """,
      told: """
        → GET /arrivals
        ← 200 OK  Content-Type: application/xml
        = Coach(name: "Comet", hour: 9)
        = Coach(name: "Tally-Ho", hour: 11)
        """,
      why: """
        The service holds the second coach back until the first one is read here, so
        nothing waits for the end. Memory is that of a record, not of the document.
        """,
      fields: [.contentType]
    ) { tour in
      func read(_ coach: Coach) {
        tour.print(coach)
        tour.service.sendRest()
      }
      let client = try tour.client()
      let coaches = try await client.get("arrivals", as: .xmlRecords("day/coach", as: Coach.self))
      for try await coach in coaches { read(coach) }
    }

    private static let download = TourStep(
      title: "A download goes on where it stopped",
      code: #"""
        let map = client.download(.get("map"), to: .file("\(folder)/map"))
        map.start()
        for await now in map.progressUpdates where now.received.bytes == half {
          map.pause()
          break
        }
        map.resume()
        """#,
      told: """
        → GET /map
        ← 200 OK
        Transfer         transfer 1 started
        Transfer         transfer 1 suspended
        → GET /map  Range: bytes=100000-  If-Range: "v1"
        ← 206 Partial Content  Content-Range: bytes 100000-199999/200000
        Transfer         transfer 1 resumed after 100000 bytes
        Transfer         transfer 1 completed
        = 200000 bytes
        """,
      why: """
        The rest is asked for by range, and only if the file is still the same
        version. The same works after a failure, and in another process.
        """,
      fields: [.range, .ifRange, .contentRange]
    ) { tour in
      let (client, folder, half) = (try tour.client(), tour.folder, Int64(TourService.mapLength / 2))
      let map = client.download(.get("map"), to: .file("\(folder)/map"))
      map.start()
      for await now in map.progressUpdates where now.received.bytes == half {
        map.pause()
        break
      }
      map.resume()
      let file = try await map.value()
      tour.print(file.size, "bytes")
    }
  }
#endif
