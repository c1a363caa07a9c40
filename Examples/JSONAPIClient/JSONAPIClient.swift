#if Tool
  import Stagecoach
  import StagecoachOrigin

  /// Calls a JSON API: `swift run JSONAPIClient [BASE-URL]`. Without a URL it starts the origin itself.
  @main
  enum JSONAPIClient {
    static func main() async throws {
      let origin = CommandLine.arguments.count > 1 ? nil : try await Origin.start()
      let api = try CoachAPI(base: origin?.url ?? CommandLine.arguments[1])
      print("pipeline: \(api.client.pipeline)")

      let timetable = try await api.timetable()
      print("timetable: \(timetable.title), \(timetable.count) coaches, by \(timetable.author.name)")

      let found = try await api.find(["to": "Town & Inn", "seats": [1, 2]])
      print("found: \(found.method) \(found.target) as \(found.value(of: "x-request-id") ?? "nobody")")

      let booked = try await api.book(.init(from: "Inn", to: "Town", seats: 2), named: "booking-7")
      let stored = try JSONValue(parsing: booked.body)
      let seats = stored["seats"]?.intValue ?? 0
      print("booked: \(seats) seats as \(booked.value(of: "x-request-id") ?? "nobody")")

      do {
        _ = try await api.cancelBooking()
      } catch let error as ExchangeError {
        let problem = error.decoded(as: CoachAPI.Problem.self)
        print("refused: \(error.stage), \(error.kind): \(problem?.title ?? "?"), \(problem?.detail ?? "?")")
      }

      await api.client.shutdown()
      try await origin?.stop()
    }
  }
#else
  @main
  enum JSONAPIClient {
    static func main() {
      print("This example needs the package trait Tool, for its origin.")
    }
  }
#endif
