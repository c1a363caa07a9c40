import HTTPTypes
import StagecoachCore

/// Content that another tool wrote beside fields that name codings: it may be coded, or decoded already.
struct ForeignBody {
  /// The content without codings, which a replay applies again.
  let body: Scenario.Body
  /// Whether the tool has decoded it.
  let wasDecoded: Bool

  init(_ content: Scenario.Body, _ fields: HTTPFields) async {
    let decoded = await CodedBody.decoded(content, fields, isComplete: true)
    let codings = Self.codings(fields)
    guard decoded.omission != nil, content.omission == nil, Self.areKnown(codings),
      !Self.looksCoded(content.bytes)
    else {
      (body, wasDecoded) = (decoded.pretty(), false)
      return
    }
    var copy = content
    copy.codings = codings
    (body, wasDecoded) = (copy.pretty(), true)
  }

  /// The codings that fields name, without those that change nothing.
  static func codings(_ fields: HTTPFields) -> [String] {
    fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingBlanks.lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
  }

  /// Whether a replay can apply codings.
  static func areKnown(_ codings: [String]) -> Bool {
    codings.allSatisfy { StoredCoding.encode([], as: $0) != nil }
  }

  /// Whether content begins as gzip or Zstandard do: if it cannot be decoded, it cannot be searched for secrets.
  static func looksCoded(_ bytes: Bytes) -> Bool {
    let start = bytes.prefix(4).array
    return start.starts(with: [0x1f, 0x8b]) || start == [0x28, 0xb5, 0x2f, 0xfd]
  }
}
