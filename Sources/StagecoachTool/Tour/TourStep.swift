#if Tool
  import Stagecoach

  /// A step of the tour: what a program writes, what has to happen then, and why.
  struct TourStep: Sendable {
    let title: String
    /// The lines of Swift that matter, as they stand in ``run``.
    let code: String
    /// The lines that the step has to note, exactly.
    let told: String
    let why: String
    /// The fields of requests and responses that are noted.
    var fields: [HTTPField.Name] = []
    /// Whether stages are noted as they are entered and left.
    var showsStages = false
    /// Sends the requests and notes the results.
    let run: @Sendable (TourRun) async throws -> Void

    /// The story, in order.
    static let all = requestSteps + policySteps + contentSteps + contractSteps
  }

  /// The run of a step: the service, a transport to it, and the notes of what happens.
  struct TourRun: Sendable {
    let service: TourService
    /// The URL of the service.
    let url: String
    /// A folder for the files of the step.
    let folder: String
    /// Notes what is sent and received.
    let transport: TourWire
    let notes: TourNotes

    /// A client over a pipeline, by default the standard one over ``transport``. Its random numbers are the same in
    /// each run.
    func client(_ pipeline: Pipeline? = nil, clock: any TimeSource = SystemTime()) throws -> Client {
      var configuration = Client.Configuration(monitors: [notes], clock: clock)
      configuration.defaults.options.totalTimeout = .seconds(20)
      configuration.randomNumberGenerator = SeededRandom(seed: 1)
      return try Client(pipeline ?? .standard(over: transport), base: url, configuration: configuration)
    }

    /// Notes a result.
    func print(_ values: Any...) {
      notes.add("= " + values.map { "\($0)" }.joined(separator: " "))
    }
  }
#endif
