#if Tool && AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import Stagecoach
  import StagecoachFixtures
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

    /// Sends a request of a sequence, and checks that the reply is the one of its step.
    ///
    /// - Parameter known: What replies handed out, which is sent as it came.
    private func send(
      _ sequence: SecretSequence,
      _ index: Int,
      _ transport: any Transport,
      _ salt: String,
      _ known: inout [String: String]
    ) async throws {
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

    /// Records a sequence over a socket.
    private func recording(of sequence: SecretSequence) async throws -> ReplayTransport {
      let folder = try ScratchDirectory()
      // What answers has the values themselves, and no placeholders.
      var scenario = sequence.scenario(Self.values("recorded"))
      for index in scenario.exchanges.indices { scenario.exchanges[index].redacted = [] }
      let service = try await ReplayServer.start(ReplayTransport(scenario))
      let transport = AsyncHTTPClientTransport()
      let recorder = Recorder(folder: folder.path)
      let pipeline = Pipeline(over: Rerouted(transport: transport, url: service.url)) { recorder }
      var known: [String: String] = [:]
      do {
        for index in sequence.steps.indices { try await send(sequence, index, pipeline, "recorded", &known) }
      } catch { Issue.record(error) }
      await transport.shutdown()
      await service.stop()
      let summary = try await recorder.finish()
      #expect(summary.omitted.isEmpty)
      let manifest = try String(contentsOfFile: folder.path + "/scenario.json", encoding: .utf8)
      for identifier in sequence.steps.indices.flatMap(sequence.secrets(ofRequest:)) {
        // The place of a page is no secret by its name.
        guard let value = known[identifier], identifier != "CONTINUATION_TOKEN-1" else { continue }
        #expect(!manifest.contains(value), "\(identifier)")
      }
      return try ReplayTransport(folder: folder.path)
    }

    /// Sends requests for a host to a server on this machine.
    private struct Rerouted: Transport {
      let transport: any Transport
      let url: String

      func send(_ request: Request) async throws -> Response {
        var request = request
        request.head.scheme = "http"
        request.head.authority = String(url.dropFirst("http://".count))
        // Other tests may take the processors for long.
        request.options.headTimeout = .seconds(600)
        request.options.connectTimeout = .seconds(600)
        return try await transport.send(request)
      }
    }

    @Test(arguments: SecretSequence.all + SecretSequence.hard)
    func aRecordingAcceptsTheSameAndFreshValues(_ sequence: SecretSequence) async throws {
      let replay = try await recording(of: sequence)
      for salt in ["recorded", "fresh", "other"] {
        var known: [String: String] = [:]
        for index in sequence.steps.indices { try await send(sequence, index, replay, salt, &known) }
        try replay.finish()
        replay.reset()
      }
    }

    @Test(arguments: SecretSequence.all + SecretSequence.hard)
    func aRecordingRefusesOtherRequests(_ sequence: SecretSequence) async throws {
      let replay = try await recording(of: sequence)
      var known: [String: String] = [:]
      var (changes, secrets) = (0, 0)
      for index in sequence.steps.indices {
        let values = Self.values("fresh", known)
        if let changed = sequence.changedRequest(index, values) {
          let text = try await refusal(of: changed, replay)
          let words = sequence.change.to.split { !$0.isLetter && !$0.isNumber }.map(String.init)
          #expect(words.contains { text.contains($0) } || text.contains("was another value"), "\(text)")
          changes += 1
        }
        for secret in sequence.secrets(ofRequest: index).sorted() {
          let request = sequence.request(index) { identifier, madeUp in
            identifier == secret ? secret == "PIN-1" ? "null" : "" : values(identifier, madeUp)
          }
          let text = try await refusal(of: request, replay)
          let value = values(secret, nil)
          // What a reply handed out stands in the recording.
          #expect(known[secret] != nil || !text.contains(value), "\(text)")
          let isNamed = text.contains("SECRET-") || text.contains(secret.dropLast(2).lowercased())
          #expect(isNamed || text.contains("but was missing"), "\(secret): \(text)")
          secrets += 1
        }
        // Refused requests bind nothing.
        try await send(sequence, index, replay, "fresh", &known)
      }
      #expect(changes > 0 && secrets > 0)
      try replay.finish()
    }

    private func refusal(of request: Request, _ replay: ReplayTransport) async throws -> String {
      let error = try await #require(throws: ExchangeError.self) {
        _ = try await Pipeline(over: replay) {}.send(request)
      }
      #expect("\(error.kind)" == "replay.unmatched")
      return error.message
    }
  }
#endif
