import StagecoachScenarios
import TestSupport
import Testing

struct ManifestLinesTests {
  private func lines(_ text: String) -> [Int] {
    ManifestLines.lines(ofElementsOf: "exchanges", in: Array(text.utf8))
  }

  @Test func eachExchangeHasTheLineOfItsStart() {
    let text = """
      {
        "title": "]}\\"[{,",
        "seed": 1, "origins": { "a": "b" },
        "ex\\u0063hanges": [ { "id": "1" },
          { "id": "2", "reply": [
            { "end": "reset" }
          ] },

          { "id": "3" }
        ],
        "policy": null
      }
      """
    #expect(lines(text) == [4, 5, 9])
  }

  @Test(arguments: [
    "", "{", "[1,2]", "{\"exchanges\": 7}", "{\"exchanges\": [", "{\"exchanges\"", "{\"a\":\"", "}",
  ])
  func otherTextsHaveLine1Only(_ text: String) {
    #expect(lines(text).allSatisfy { $0 == 1 })
  }

  @Test func randomTextsEnd() {
    var random = SplitMix(state: 7)
    let octets = Array("{}[],:\"\\ \nexchanges1".utf8)
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        octets.randomElement(using: &random) ?? 0
      }
      #expect(ManifestLines.lines(ofElementsOf: "exchanges", in: text).count <= text.count)
    }
  }
}
