import HTTPTypes
import Stagecoach
import StagecoachFixtures
import Synchronization
import TestSupport
import Testing

/// Sequences that are recorded with real values answer when they are sent again with the same values and with others.
struct RecordedSequenceTests {
  /// Values that no two secrets and no two salts have in common.
  private static func values(_ salt: String, _ known: [String: String] = [:]) -> SecretSequence.Values {
    { identifier, madeUp in
      if let value = known[identifier] { return value }
      var generator = SplitMix(seed: (identifier + salt).utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
      func digit(_ count: UInt64) -> Character {
        Character(String(Int.random(in: 1..<Int(count), using: &generator), radix: 36))
      }
      if let madeUp { return String(madeUp.map { $0.isNumber ? digit(10) : $0.isLetter ? digit(16) : $0 }) }
      return "k" + String((0..<24).map { _ in digit(36) })
    }
  }

  private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }

  /// Returns what stands in a text in place of `<NAME>` in another.
  private static func parts(_ text: String, like template: String) -> [String: String]? {
    var (values, rest, open) = ([String: String](), text[...], template[...])
    while let mark = open.firstMatch(of: /<([A-Z0-9_]+-\d)>/) {
      let before = open[..<mark.range.lowerBound]
      guard rest.hasPrefix(before) else { return nil }
      rest = rest.dropFirst(before.count)
      open = open[mark.range.upperBound...]
      let next = open[..<(open.firstMatch(of: /<[A-Z0-9_]+-\d>/)?.range.lowerBound ?? open.endIndex)]
      let end = next.isEmpty ? rest.endIndex : rest.firstRange(of: next)?.lowerBound
      guard let end else { return nil }
      values[String(mark.output.1)] = String(rest[..<end])
      rest = rest[end...]
    }
    return rest == open ? values : nil
  }

  /// Sends a sequence; what replies hand out is sent as it came.
  private func send(_ sequence: SecretSequence, _ transport: any Transport, _ salt: String) async throws {
    var known: [String: String] = [:]
    for index in sequence.steps.indices {
      var sent: [String: String] = [:]
      let request = sequence.request(index) { identifier, madeUp in
        sent[identifier] = Self.values(salt, known)(identifier, madeUp)
        return sent[identifier] ?? ""
      }
      let response = try await Pipeline(over: transport) {}.send(request)
      let text = String(decoding: try await response.body.collect(upTo: 10_000))
      let template = sequence.step(index) { identifier, _ in "<\(identifier)>" }
      #expect(response.status.code == template.status)
      var handedOut = try #require(Self.parts(text, like: template.reply), "\(text)")
      for field in template.replyFields {
        let value = try #require(response.fields[field.name])
        handedOut.merge(try #require(Self.parts(value, like: field.value), "\(value)")) { $1 }
      }
      // What the client sent is repeated.
      for identifier in sequence.secrets(ofRequest: index) where handedOut[identifier] != nil {
        #expect(handedOut[identifier] == sent[identifier], "\(identifier)")
      }
      known.merge(handedOut) { old, _ in old }
    }
  }

  @Test(arguments: SecretSequence.all)
  func aRecordingAnswersTheSameAndFreshValues(_ sequence: SecretSequence) async throws {
    let folder = try ScratchDirectory()
    let recorder = Recorder(folder: folder.path)
    let count = Mutex(0)
    let service = HandlerTransport { _ in
      let index = count.withLock { count in
        defer { count += 1 }
        return count
      }
      let step = sequence.step(index, Self.values("recorded"))
      var fields = step.replyFields
      if fields[.contentType] == nil { fields[.contentType] = "application/json" }
      return Response(.init(code: step.status), fields: fields, body: .bytes(Bytes(step.reply)))
    }
    try await send(sequence, Pipeline(over: service) { recorder }, "recorded")
    let summary = try await recorder.finish()
    #expect(summary.omitted.isEmpty)
    let replay = try ReplayTransport(folder: folder.path)
    for salt in ["recorded", "fresh", "other"] {
      try await send(sequence, replay, salt)
      try replay.finish()
      replay.reset()
    }
  }
}
