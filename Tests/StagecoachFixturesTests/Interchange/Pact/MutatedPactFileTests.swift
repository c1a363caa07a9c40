import StagecoachCore
import TestSupport
import Testing

@testable import StagecoachFixtures

/// Files with values in the wrong places: refused, or read and written without a loss.
@Suite struct MutatedPactFileTests {
  @Test(arguments: [PactSamples.version2, PactSamples.version4])
  func mutatedFilesAreReadOrRefused(text: String) throws {
    var random = SplitMix(state: 11)
    let seed = try JSONValue(parsing: text)
    for _ in 0..<1500 {
      var value = seed
      for _ in 0...Int.random(in: 0..<3, using: &random) { value.mutate(using: &random) }
      guard let file = try? PactFile(contents: value.serialized(), path: "a.json") else { continue }
      #expect(file.interactions.count == file.entries.count)
      let (bytes, _) = try file.serialized(as: .v4)
      let again = try PactFile(contents: bytes, path: "b.json")
      #expect(again.entries.count == file.entries.count)
      #expect(try again.serialized(as: .v4).bytes == bytes)
      _ = try? file.scenario(generators: GeneratorContext(side: .consumer))
      _ = try? PactMock(file)
    }
  }
}

extension JSONValue {
  private static let strangers: [JSONValue] = [
    .null, [], [:], "", "text", 0, -1, 1_000, true, "$.", ["a": 1], [.null], "\r\n", "1.1", ["match": "type"],
  ]

  /// Replaces a value somewhere in it.
  fileprivate mutating func mutate(using random: inout SplitMix) {
    let stays = Int.random(in: 0..<5, using: &random) > 0
    switch self {
    case .array(var elements) where stays && !elements.isEmpty:
      elements[Int.random(in: elements.indices, using: &random)].mutate(using: &random)
      self = .array(elements)
    case .object(var object) where stays && !object.members.isEmpty:
      object.members[Int.random(in: object.members.indices, using: &random)].value.mutate(using: &random)
      self = .object(object)
    default: self = Self.strangers.randomElement(using: &random) ?? .null
    }
  }
}
