import HTTPTypes
import StagecoachFormats
import Testing

@testable import StagecoachTransfers

struct ReplyDecisionTests {
  /// Content of 100 bytes of which 40 are there.
  private func decide(
    _ status: Int,
    _ fields: HTTPFields,
    length: Int64? = nil,
    validator: RepresentationValidator = .entityTag("\"a\""),
    total: Int64? = 100,
    coding: String? = nil,
    next: Int64 = 40
  ) -> ReplyDecision {
    var content = PartialContent(validator: validator, total: total, coding: coding)
    content.spans[0].next = next
    let head = HTTPResponse(status: .init(code: status), headerFields: fields)
    return ReplyDecision(head, length: length, askedFor: content.spans[0], of: content)
  }

  private func isAnew(_ decision: ReplyDecision) -> Bool {
    if case .anew = decision { true } else { false }
  }

  private func isRefused(_ decision: ReplyDecision) -> Bool {
    if case .refuse = decision { true } else { false }
  }

  /// A part of the version that is there.
  private func part(_ range: String, _ more: HTTPFields = [:]) -> HTTPFields {
    var fields: HTTPFields = [.contentRange: range, .eTag: "\"a\""]
    for field in more { fields.append(field) }
    return fields
  }

  @Test func appendsAPartThatFits() {
    #expect(decide(206, part("bytes 40-99/100")) == .append)
    // A server may send less than was asked for.
    #expect(decide(206, part("bytes 40-49/100")) == .append)
    #expect(decide(206, part("bytes 40-49/*")) == .append)
    #expect(decide(206, part("bytes 40-49/100"), length: 10) == .append)
    #expect(decide(206, part("bytes 40-99/100"), total: nil) == .append)
    #expect(decide(206, part("bytes 40-99/100", [.contentEncoding: "identity"])) == .append)
    #expect(decide(206, part("bytes 40-99/100", [.contentEncoding: "GZIP"]), coding: "gzip") == .append)
  }

  @Test func startsAgainForAPartThatDoesNotFit() {
    #expect(isAnew(decide(206, [:])))
    #expect(isAnew(decide(206, [.contentType: "multipart/byteranges; boundary=x"])))
    #expect(isAnew(decide(206, part("bytes 0-99/100"))))
    #expect(isAnew(decide(206, part("bytes 41-99/100"))))
    #expect(isAnew(decide(206, part("bytes 39-99/100"))))
    #expect(isAnew(decide(206, part("bytes 40-99/101"))))
    #expect(isAnew(decide(206, part("bytes */100"))))
    #expect(isAnew(decide(206, part("40-99/100"))))
    #expect(isAnew(decide(206, part("bytes 40-49/100"), length: 60)))
    #expect(isAnew(decide(206, part("bytes 40-99/100", [.contentEncoding: "gzip"]))))
    #expect(isAnew(decide(206, part("bytes 40-99/100"), coding: "gzip")))
  }

  /// Only parts that share a strong validator are combined (RFC 9110 15.3.7.3).
  @Test func startsAgainForAnotherVersion() {
    for tag in [nil, "\"b\"", "W/\"a\""] {
      var fields: HTTPFields = [.contentRange: "bytes 40-99/100"]
      fields[.eTag] = tag
      #expect(isAnew(decide(206, fields)), "\(tag ?? "none")")
    }
    let (date, other) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT")
    func dated(_ value: String?) -> ReplyDecision {
      var fields: HTTPFields = [.contentRange: "bytes 40-99/100"]
      fields[.lastModified] = value
      return decide(206, fields, validator: .lastModified(date))
    }
    #expect(dated(date) == .append)
    // The answer to If-Range leaves it out.
    #expect(dated(nil) == .append)
    #expect(isAnew(dated(other)))
  }

  @Test func takesAReplyThatCanBeTheWhole() {
    #expect(decide(200, [.eTag: "\"a\""]) == .whole)
    #expect(decide(200, [.eTag: "\"b\""], length: 38) == .whole)
    #expect(decide(200, [.eTag: "W/\"b\""]) == .whole)
    #expect(decide(200, [:], length: 100) == .whole)
    #expect(decide(200, [:], length: 40, total: nil) == .whole)
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(decide(200, [.lastModified: date], validator: .lastModified(date)) == .whole)
  }

  @Test func refusesAReplyThatCannotBeTheWhole() {
    #expect(isRefused(decide(200, [:])))
    #expect(isRefused(decide(200, [:], length: 38)))
    #expect(isRefused(decide(200, [:], length: 39, total: nil)))
    #expect(isRefused(decide(200, [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"], length: 38)))
    for status in [201, 202, 203, 204, 205, 207, 226] {
      #expect(isRefused(decide(status, [.eTag: "\"a\""], length: 100)), "\(status)")
    }
    #expect(isAnew(decide(412, [:])))
  }

  @Test func a416AtTheEndCompletesTheFile() {
    #expect(decide(416, [.contentRange: "bytes */100"], next: 100) == .complete)
    #expect(decide(416, [.contentRange: "bytes */100"], total: nil, next: 100) == .complete)
    #expect(isAnew(decide(416, [.contentRange: "bytes */100"])))
    #expect(isAnew(decide(416, [.contentRange: "bytes */99"], next: 100)))
    #expect(isAnew(decide(416, [.contentRange: "bytes */40"])))
    #expect(isAnew(decide(416, [:], next: 100)))
  }
}
