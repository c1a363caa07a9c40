import HTTPTypes
import Testing

@testable import StagecoachTransfers

struct ReplyDecisionTests {
  /// Content of 100 bytes of which 40 are there.
  private func decide(
    _ status: Int,
    _ fields: HTTPFields,
    total: Int64? = 100,
    next: Int64 = 40
  ) -> ReplyDecision {
    var content = PartialContent(validator: .entityTag("\"a\""), total: total)
    content.spans[0].next = next
    let head = HTTPResponse(status: .init(code: status), headerFields: fields)
    return ReplyDecision(head, askedFor: content.spans[0], of: content)
  }

  private func isAnew(_ decision: ReplyDecision) -> Bool {
    if case .anew = decision { true } else { false }
  }

  @Test func partsThatFit() {
    #expect(decide(206, [.contentRange: "bytes 40-99/100"]) == .append)
    #expect(decide(206, [.contentRange: "bytes 40-99/100", .eTag: "\"a\""]) == .append)
    // A server may send less than was asked for.
    #expect(decide(206, [.contentRange: "bytes 40-49/100"]) == .append)
    #expect(decide(206, [.contentRange: "bytes 40-49/*"]) == .append)
    #expect(decide(206, [.contentRange: "bytes 40-99/100"], total: nil) == .append)
    #expect(decide(206, [.contentRange: "bytes 40-99/100", .contentEncoding: "identity"]) == .append)
  }

  @Test func partsThatDoNotFit() {
    #expect(isAnew(decide(206, [:])))
    #expect(isAnew(decide(206, [.contentType: "multipart/byteranges; boundary=x"])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 0-99/100"])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 41-99/100"])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 39-99/100"])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 40-99/101"])))
    #expect(isAnew(decide(206, [.contentRange: "bytes */100"])))
    #expect(isAnew(decide(206, [.contentRange: "40-99/100"])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 40-99/100", .eTag: "\"b\""])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 40-99/100", .eTag: "W/\"a\""])))
    #expect(isAnew(decide(206, [.contentRange: "bytes 40-99/100", .contentEncoding: "gzip"])))
  }

  @Test func otherStatuses() {
    #expect(decide(200, [:]) == .whole)
    #expect(decide(200, [.contentRange: "bytes 40-99/100"]) == .whole)
    #expect(isAnew(decide(412, [:])))
  }

  @Test func nothingMore() {
    #expect(decide(416, [.contentRange: "bytes */100"], next: 100) == .complete)
    #expect(decide(416, [.contentRange: "bytes */100"], total: nil, next: 100) == .complete)
    #expect(isAnew(decide(416, [.contentRange: "bytes */100"])))
    #expect(isAnew(decide(416, [.contentRange: "bytes */99"], next: 100)))
    #expect(isAnew(decide(416, [.contentRange: "bytes */40"])))
    #expect(isAnew(decide(416, [:], next: 100)))
  }
}
