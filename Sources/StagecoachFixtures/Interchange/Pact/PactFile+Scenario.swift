import StagecoachCore

extension PactFile {
  /// The interactions as a scenario: requests are compared as the mock server of a consumer test compares them, and
  /// each interaction may answer any number of times.
  ///
  /// Interactions with equal requests, which a provider tells apart by its state, answer in their order.
  ///
  /// - Parameters:
  ///   - origin: The origin of the targets.
  ///   - generators: The inputs of the generators of responses; `nil` to keep the examples.
  /// - Returns: The scenario, and sentences about what it does not hold.
  /// - Throws: `GeneratorError`.
  package func scenario(
    origin: String = "http://localhost",
    generators: GeneratorContext? = nil
  ) throws -> (scenario: Scenario, notes: [String]) {
    var scenario = Scenario(title: "\(consumer.name) to \(provider.name)")
    scenario.origins = [Scenario.Alias(name: "provider", origin: origin)]
    var importer = PactImport(reader: rulesReader, generators: generators)
    var left = unsupported.map { "\"\($0.description)\" is left out: \($0.reason)" }
    for interaction in requests {
      do {
        scenario.exchanges.append(try importer.exchange(of: interaction))
      } catch let error as PactFormatError {
        left.append("\"\(interaction.description)\" is left out: \(error)")
      }
    }
    // The last one of those with an equal request repeats its answer.
    var later: Set<PactImport.Question> = []
    for index in scenario.exchanges.indices.reversed() {
      let isLast = later.insert(PactImport.Question(scenario.exchanges[index])).inserted
      scenario.exchanges[index].times = isLast ? .atLeastOnce : .exactly(1)
    }
    return (scenario, importer.tally.sentences + left)
  }
}
