#if Tool
  /// One stop of the tour: requests, and checks of what the origin saw and what came back.
  struct TourStep: Sendable {
    /// A short name, unique among the steps.
    let name: String
    /// The title, in one line.
    let title: String
    /// Sends the requests and makes the checks; an error that it throws fails the step.
    let run: @Sendable (TourContext) async throws -> Void

    init(_ name: String, _ title: String, _ run: @escaping @Sendable (TourContext) async throws -> Void) {
      self.name = name
      self.title = title
      self.run = run
    }

    /// All of them, in the order of the tour.
    static let all: [TourStep] =
      requestSteps + uploadSteps + responseSteps + documentSteps + refusalSteps + limitSteps + bodySteps
      + policySteps + authenticationSteps + observationSteps + stageSteps + chainSteps + transportSteps

    /// The length of the longest name.
    static let nameWidth = all.map(\.name.count).max() ?? 0
  }
#endif
