import Foundation
import StagecoachFormats
import TestSupport
import Testing

/// What an encoder writes, a decoder with the same options reads back, wherever the styles define it.
@Suite struct QueryRoundTripTests {
  private static let arrays: [QueryEncoder.ArrayStyle] = [
    .brackets, .indexed, .repeated, .comma, .pipe, .space,
  ]
  private static let escapings: [QueryEncoder.Escaping] = [.afnetworking, .strict, .form, .literalBrackets]

  @Test(arguments: arrays.indices, escapings)
  func typedValuesComeBack(array: Int, escaping: QueryEncoder.Escaping) throws {
    var random = SplitMix(state: UInt64(array * 100 + (Self.escapings.firstIndex(of: escaping) ?? 0)))
    for _ in 0..<40 {
      let encoder = Self.encoder(array, escaping, using: &random)
      let value = Sample.random(encoder, using: &random)
      let query = try encoder.encode(encoder.parameters(encoding: value))
      let read = try QueryDecoder(reading: encoder).decode(Sample.self, from: query)
      #expect(read == value, "\(query)")
      // Swift takes texts for equal that have other bytes, a query has them all.
      #expect(try encoder.encode(encoder.parameters(encoding: read)) == query)
    }
  }

  @Test(arguments: escapings)
  func pairsComeBack(escaping: QueryEncoder.Escaping) throws {
    var random = SplitMix(state: 1000 + UInt64(Self.escapings.firstIndex(of: escaping) ?? 0))
    for _ in 0..<100 {
      var encoder = Self.encoder(0, escaping, using: &random)
      encoder.keyOrder = .asGiven
      encoder.nullStyle = .keyAlone
      let text = Text(encoder)
      let pairs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (
          key: "k" + text.random(using: &random),
          value: Bool.random(using: &random) ? text.random(using: &random) : nil
        )
      }
      let parameters = Parameters(
        pairs.map { Parameters.Member(key: $0.key, value: $0.value.map(ParameterValue.string) ?? .null) }
      )
      let query = try encoder.encode(parameters)
      let read = try QueryDecoder(reading: encoder).queryItems(from: query)
      #expect(read.map { Array($0.name.utf8) } == pairs.map { Array($0.key.utf8) }, "\(query)")
      #expect(read.map { $0.value.map { Array($0.utf8) } } == pairs.map { $0.value.map { Array($0.utf8) } })
    }
  }

  /// Bytes of every kind are read or refused, in lossy mode only for a limit.
  @Test(arguments: 1...8)
  func hostileInputIsReadOrRefused(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let alphabet = Array("ab01&&==[[]]..%%,|+ \u{E9}é".utf8) + [0xFF, 0xC3, 0, 0x80]
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      var decoder = QueryDecoder(
        reading: Self.encoder(
          Int.random(in: 0..<Self.arrays.count, using: &random),
          Self.escapings[Int.random(in: 0..<Self.escapings.count, using: &random)],
          using: &random
        )
      )
      decoder.mode = .lossy
      let lossy = try decoder.queryItems(from: Bytes(bytes))
      let values = try decoder.decode([String: [String?]].self, from: Bytes(bytes))
      #expect(values.isEmpty == lossy.isEmpty)
      decoder.mode = .strict
      if let strict = try? decoder.queryItems(from: Bytes(bytes)) { #expect(strict == lossy) }
      _ = try? decoder.decode(Sample.self, from: Bytes(bytes))
    }
  }

  private static func encoder(
    _ array: Int,
    _ escaping: QueryEncoder.Escaping,
    using random: inout SplitMix
  ) -> QueryEncoder {
    var encoder = QueryEncoder()
    encoder.arrayStyle = arrays[array]
    encoder.escaping = escaping
    encoder.boolStyle = Bool.random(using: &random) ? .numeric : .literal
    encoder.keyOrder = Bool.random(using: &random) ? .sorted : .asGiven
    encoder.nullStyle = [.keyAlone, .drop, .empty, .literal][Int.random(in: 0..<4, using: &random)]
    encoder.dataStyle = [.base64, .base64URL, .hexadecimal][Int.random(in: 0..<3, using: &random)]
    encoder.keyCase = [.asGiven, .snakeCase, .custom { "\($0)_" }][Int.random(in: 0..<3, using: &random)]
    encoder.dateStyle =
      [
        .iso8601Milliseconds, .seconds, .milliseconds,
        .custom(
          write: { "\($0.timeIntervalSinceReferenceDate.bitPattern)" },
          read: { Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64($0) ?? 0)) }
        ),
      ][Int.random(in: 0..<4, using: &random)]
    return encoder
  }
}

private struct Sample: Codable, Equatable {
  enum Kind: String, Codable, CaseIterable { case firstKind, secondKind }
  var text: String
  var isOn: Bool
  var number: Int
  var bigNumber: UInt64
  var ratio: Double
  var single: Float
  var date: Date
  var bytes: Data
  var maybeText: String?
  var maybeNumber: Int?
  var kind: Kind
  var list: [String]
  var flags: [Bool]
  var tags: Set<Int>
  var kinds: [Kind]

  static func random(_ encoder: QueryEncoder, using random: inout SplitMix) -> Sample {
    let text = Text(encoder)
    // A quarter of a second is exact in every style.
    let quarters = Int.random(in: -8_000_000_000...8_000_000_000, using: &random)
    return Sample(
      text: text.random(using: &random),
      isOn: .random(using: &random),
      number: Int(truncatingIfNeeded: random.next()),
      bigNumber: random.next(),
      ratio: double(using: &random),
      single: Float(Int.random(in: -1000...1000, using: &random)) / 7,
      date: Date(timeIntervalSince1970: Double(quarters) / 4),
      bytes: Data(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      ),
      // Text that is empty differs from none in some styles only.
      maybeText: Bool.random(using: &random) ? "t" + text.random(using: &random) : nil,
      maybeNumber: Bool.random(using: &random) ? 7 : nil,
      kind: Kind.allCases.randomElement(using: &random) ?? .firstKind,
      list: text.several(using: &random),
      flags: (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(using: &random) },
      tags: Set((0..<Int.random(in: 0...3, using: &random)).map { _ in .random(in: -5...5, using: &random) }),
      kinds: (0..<Int.random(in: 0...3, using: &random)).map { $0 == 1 ? .firstKind : .secondKind }
    )
  }

  private static func double(using random: inout SplitMix) -> Double {
    let value = Double(bitPattern: random.next())
    return value.isFinite ? value : 0.1
  }
}

/// Arbitrary text that an encoder can write so that it comes back.
private struct Text {
  let encoder: QueryEncoder
  private let pieces: [String]

  init(_ encoder: QueryEncoder) {
    self.encoder = encoder
    let all = [
      "a", "Z", "9", " ", "+", "%", "%20", "&", "=", "#", "?", "/", ",", ";", "~", "*", "\"", "\n", "\u{0}",
      "|", "ä",
      "€", "e\u{301}", "👴🏿", "👩‍👩‍👧", "\u{10FFFF}", "\u{FEFF}", "[", "]", ".",
    ]
    pieces = all.filter { !Self.isDelimiter($0, of: encoder) }
  }

  /// Whether text could not be told from what stands between elements.
  private static func isDelimiter(_ text: String, of encoder: QueryEncoder) -> Bool {
    switch encoder.arrayStyle {
    case .pipe: text == "|"
    case .space: text == " "
    default: false
    }
  }

  func random(using random: inout SplitMix) -> String {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in
      // Any scalar there is, those of scripts in use more often than their share.
      let bits = UInt32.random(in: 0...0x10FFFF, using: &random) >> UInt32.random(in: 0...12, using: &random)
      let scalar = Unicode.Scalar(bits).map(String.init) ?? ""
      let isOrdinary = Bool.random(using: &random) || Self.isDelimiter(scalar, of: encoder)
      return isOrdinary ? pieces.randomElement(using: &random) ?? "" : scalar
    }.joined()
  }

  func several(using random: inout SplitMix) -> [String] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in self.random(using: &random) }
  }
}
