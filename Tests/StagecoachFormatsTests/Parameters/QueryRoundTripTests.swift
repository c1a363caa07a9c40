import Foundation
import StagecoachFormats
import TestSupport
import Testing

/// What an encoder writes, a decoder with the same options reads back, wherever the styles define it.
@Suite struct QueryRoundTripTests {
  private static let arrays: [QueryEncoder.ArrayStyle] = [
    .brackets, .indexed, .repeated, .comma, .pipe, .space,
  ]
  private static let objects: [QueryEncoder.ObjectStyle] = [.bracket, .dot]
  private static let escapings: [QueryEncoder.Escaping] = [.afnetworking, .strict, .form, .literalBrackets]

  /// The styles of the arguments of a test: an array style, and an object style with an escaping.
  private static let styles = objects.flatMap { object in escapings.map { (object, $0) } }

  @Test(arguments: arrays.indices, styles.indices)
  func typedValuesComeBack(array: Int, style: Int) throws {
    var random = SplitMix(state: UInt64(array * 100 + style))
    for _ in 0..<20 {
      let encoder = Self.encoder(array, style, using: &random)
      let value = Sample.random(encoder, using: &random)
      let query = try encoder.encode(encoder.parameters(encoding: value))
      let read = try QueryDecoder(reading: encoder).decode(Sample.self, from: query)
      #expect(read == value, "\(query)")
      // Swift takes texts for equal that have other bytes, a query has them all.
      #expect(try encoder.encode(encoder.parameters(encoding: read)) == query)
    }
  }

  @Test(arguments: arrays.indices, styles.indices)
  func untypedParametersComeBack(array: Int, style: Int) throws {
    var random = SplitMix(state: UInt64(1000 + array * 100 + style))
    for _ in 0..<20 {
      var encoder = Self.encoder(array, style, using: &random)
      encoder.keyOrder = .asGiven
      encoder.nullStyle = .keyAlone
      let parameters = Text(encoder).object(depth: 3, using: &random)
      let query = try encoder.encode(parameters)
      let read = try QueryDecoder(reading: encoder).parameters(from: query)
      #expect(read == parameters, "\(query)")
      #expect(try encoder.encode(read) == query)
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
          Int.random(in: 0..<Self.styles.count, using: &random),
          using: &random
        )
      )
      decoder.mode = .lossy
      let lossy = try decoder.parameters(from: Bytes(bytes))
      decoder.mode = .strict
      if let strict = try? decoder.parameters(from: Bytes(bytes)) { #expect(strict == lossy) }
      _ = try? decoder.decode(Sample.self, from: Bytes(bytes))
      _ = try? decoder.decode([String: [String: [Int]]].self, from: Bytes(bytes))
    }
  }

  private static func encoder(_ array: Int, _ style: Int, using random: inout SplitMix) -> QueryEncoder {
    var encoder = QueryEncoder()
    encoder.arrayStyle = arrays[array]
    (encoder.objectStyle, encoder.escaping) = styles[style]
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
  struct Inner: Codable, Equatable {
    var innerName: String
    var count: UInt8
  }

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
  var table: [String: Int]
  var sparse: [Int: String]
  var inner: Inner
  var inners: [Inner]
  var matrix: [[Int]]

  static func random(_ encoder: QueryEncoder, using random: inout SplitMix) -> Sample {
    let text = Text(encoder)
    let hasObjectsInArrays =
      switch encoder.arrayStyle {
      case .brackets, .indexed: true
      default: false
      }
    let hasArraysInArrays = if case .indexed = encoder.arrayStyle { true } else { false }
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
      table: Dictionary(
        (0..<Int.random(in: 0...3, using: &random)).map { (text.key(using: &random), $0) },
        uniquingKeysWith: { first, _ in first }
      ),
      sparse: Dictionary(
        (0..<Int.random(in: 0...3, using: &random)).map {
          (Int.random(in: -3...1000, using: &random) * 2 + $0 % 2, text.random(using: &random))
        },
        uniquingKeysWith: { first, _ in first }
      ),
      inner: Inner(innerName: text.random(using: &random), count: 3),
      inners: (0..<(hasObjectsInArrays ? Int.random(in: 0...12, using: &random) : 0)).map {
        Inner(innerName: text.random(using: &random), count: UInt8($0))
      },
      matrix: (0..<(hasArraysInArrays ? Int.random(in: 0...12, using: &random) : 0)).map { [$0, -$0] }
    )
  }

  private static func double(using random: inout SplitMix) -> Double {
    let value = Double(bitPattern: random.next())
    return value.isFinite ? value : 0.1
  }
}

/// Arbitrary text and trees of it that an encoder can write so that they come back.
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

  /// A key that is not empty and without brackets and dots, which are syntax.
  func key(using random: inout SplitMix) -> String {
    "k" + String(self.random(using: &random).unicodeScalars.filter { !"[].".unicodeScalars.contains($0) })
  }

  func several(atLeast count: Int = 0, using random: inout SplitMix) -> [String] {
    (0..<Int.random(in: count...4, using: &random)).map { _ in self.random(using: &random) }
  }

  /// Members whose keys differ, without containers that hold nothing.
  func object(depth: Int, using random: inout SplitMix) -> Parameters {
    Parameters(
      (0..<Int.random(in: 1...4, using: &random)).map { index in
        Parameters.Member(key: "k\(index)" + key(using: &random), value: value(depth: depth, using: &random))
      }
    )
  }

  private func value(depth: Int, using random: inout SplitMix) -> ParameterValue {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
    case 0: .null
    case 1, 2: .string(self.random(using: &random))
    case 3: .object(object(depth: depth - 1, using: &random))
    default: .array(elements(depth: depth, using: &random))
    }
  }

  private func elements(depth: Int, using random: inout SplitMix) -> [ParameterValue] {
    switch encoder.arrayStyle {
    case .indexed:
      (0..<Int.random(in: 1...12, using: &random)).map { _ in value(depth: depth - 1, using: &random) }
    // Two at least, since one that is not marked as an element is a leaf.
    default: several(atLeast: 2, using: &random).map { .string($0) }
    }
  }
}
