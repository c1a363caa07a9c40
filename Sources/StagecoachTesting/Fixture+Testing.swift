public import StagecoachFixtures
public import Testing

extension Fixture: CustomTestStringConvertible {
  /// The name, as the title of a case.
  public var testDescription: String { name }
}
