import HTTPTypes
import Stagecoach
import StagecoachConformance
import Testing

/// The forms of the report.
@Suite struct MatrixTests {
  private static let check = Check("901-holds", "it holds", level: .typedError) { _ in }
  private static let other = Check("902-fails", "it fails") { _ in throw CheckFailure("it is \"wrong\"") }

  private static func matrix() async -> ConformanceMatrix {
    let first = Subject("First") { _ in HandlerTransport { _ in Response(.ok) } }
    var second = Subject("Second") { _ in HandlerTransport { _ in Response(.ok) } }
    second.deviations = [.init("902", failure: "wrong", "for a reason", reference: "Engine.swift")]
    var results: [CheckResult] = []
    for subject in [first, second] {
      for check in [check, other] { results.append(await subject.run(check)) }
    }
    return ConformanceMatrix(results)
  }

  @Test func theJSONReportHasAnObjectForEachFinding() async throws {
    let rows = try #require(JSONValue(parsing: await Self.matrix().json).arrayValue)
    #expect(rows.count == 4)
    for row in rows {
      #expect(
        row.objectValue?.members.map(\.key).sorted() == ["check", "level", "outcome", "reason", "transport"]
      )
    }
    #expect(rows[0]["transport"]?.stringValue == "First")
    #expect(rows[0]["check"]?.stringValue == "901-holds")
    #expect(rows[0]["level"]?.stringValue == "typedError")
    #expect(rows[0]["outcome"]?.stringValue == "pass")
    #expect(rows[1]["outcome"]?.stringValue == "fail")
    #expect(rows[1]["reason"]?.stringValue == "it is \"wrong\"")
    #expect(rows[3]["outcome"]?.stringValue == "deviation")
  }

  @Test func theTableHasARowForEachCheckAndTheDeviationsBelow() async {
    let text = await Self.matrix().markdown
    #expect(
      text == """
        | Check | First | Second |
        |---|---|---|
        | 901 it holds | yes | yes |
        | 902 it fails | **fails** | deviates |

        - Second, 902: for a reason [Engine.swift]

        """
    )
  }

  @Test func theSummaryCountsEachOutcome() async {
    let matrix = await Self.matrix()
    #expect(matrix.count(of: .pass) == 2)
    #expect(matrix.count(of: .deviation, transport: "First") == 0)
    #expect(matrix.summary.hasPrefix("First: 1 pass, 1 fail, 0 deviation, 0 notClaimed, 0 overDelivers\n"))
  }
}
