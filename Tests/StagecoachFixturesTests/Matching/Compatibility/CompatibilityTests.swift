import StagecoachCore
import Testing

@testable import StagecoachFixtures

/// The scenarios of Pact's compatibility suite as far as it is present, and needs no broker.
@Suite struct CompatibilityTests {
  static let paths = PactFiles.paths(in: PactFiles.compatibility, withExtension: "feature")

  @Test(arguments: paths)
  func runsTheScenariosOfAFeature(_ path: String) async throws {
    let text = String(decoding: try PactFiles.contents(of: path, in: PactFiles.compatibility), as: UTF8.self)
    let folder = path.split(separator: "/").dropLast().last ?? ""
    let version = PactVersion(rawValue: String(folder.dropFirst())) ?? .v4
    var run = 0
    let scenarios = FeatureFile(parsing: text).scenarios
    for scenario in scenarios {
      var world = try FeatureWorld(version: version)
      do {
        for step in scenario.steps { try await world.run(step) }
        run += 1
      } catch let error as FeatureWorld.Unsupported {
        print("\(path): not run: \(scenario.name) (\(error.step))")
      } catch {
        Issue.record("\(path): \(scenario.name): \(error)")
      }
    }
    print("\(path): \(run) of \(scenarios.count) scenarios run")
  }
}
