import StagecoachCore

/// The reason why a fixture fails a test. Its text is all that a report needs.
public struct FixtureError: Error, Sendable {
  /// The kinds of errors.
  @nonexhaustive
  public enum Kind: Sendable, Hashable {
    /// There is no such recording, or no folder of fixtures.
    case missing
    /// A file of the fixture is not the one that the package was built with.
    case stale
    /// A request that no exchange answers.
    case unmatched
    /// An exchange that no request asked for.
    case unused
    /// A reply of the service differs from the recorded one.
    case changed
    /// The mode, the name or the root of the fixture cannot be used.
    case configuration
  }

  /// The kind of error.
  public var kind: Kind
  /// The name of the fixture.
  public var fixture: String
  /// What is wrong, and what to do.
  public var message: String
  /// The manifest of the fixture, if it was found.
  public var file: String?
  /// The line of the exchange in the manifest, starting at 1, if the error is about one.
  public var line: Int?
  /// The error of the test that came of it, if there is one.
  public var underlying: (any Error)?

  init(
    _ kind: Kind,
    fixture: String,
    file: String? = nil,
    line: Int? = nil,
    _ message: String,
    underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.fixture = fixture
    self.message = message
    self.file = file
    self.line = line
    self.underlying = underlying
  }
}

extension FixtureError: CustomStringConvertible {
  /// The fixture with its file and line, what is wrong, and the error of the test.
  public var description: String {
    let place = file.map { file in line.map { "\(file):\($0)" } ?? file }
    let text = [place, "fixture \(fixture)", message].compactMap(\.self).joined(separator: ": ")
    let start = Format.lines(text)
    // An error of the replay says what is said already.
    guard let underlying, (underlying as? ExchangeError)?.isUnmatched != true else { return start }
    return "\(start)\nthe test failed with: \(underlying)"
  }
}
