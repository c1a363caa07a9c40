import StagecoachFixtures
import Testing

/// Records what is wrong with a fixture, at the line of its test, and attaches it.
struct FixtureIssues {
  private let fixture: Fixture
  private let test: Test

  init(of fixture: Fixture, in test: Test) {
    self.fixture = fixture
    self.test = test
  }

  func fail(_ error: any Error) {
    attach("\(error)")
    Issue.record(Comment(rawValue: "\(error)"), sourceLocation: test.sourceLocation)
  }

  /// Records a change of the service.
  func warn(_ change: FixtureError) {
    #if compiler(>=6.3)
      attach("\(change)")
      warn("\(change)")
    #else
      fail(change)
    #endif
  }

  func warn(_ text: String) {
    #if compiler(>=6.3)
      Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: test.sourceLocation)
    #endif
  }

  private func attach(_ text: String) {
    let name = fixture.name.replacing("/", with: "-")
    Attachment.record(text, named: "fixture-\(name).txt", sourceLocation: test.sourceLocation)
  }
}
