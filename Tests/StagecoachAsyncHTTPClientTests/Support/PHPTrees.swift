#if Tool
  import Stagecoach

  extension PHPValue {
    /// What PHP should make of a value, written by an encoder with the default styles or indices for arrays.
    init?(reading value: ParameterValue) {
      switch value {
      case .null: self = PHPValue("")
      case .bool(let value): self = PHPValue(value ? "1" : "0")
      case .int(let value): self = PHPValue(String(value))
      case .string(let text): self = PHPValue(text)
      case .array(let elements): self = .list(elements.compactMap { PHPValue(reading: $0) })
      case .object(let parameters):
        let members = parameters.members.compactMap { member in
          PHPValue(reading: member.value).map { (member.key, $0) }
        }
        self = .table(Dictionary(members, uniquingKeysWith: { $1 }))
      case .double, .set, .date, .data: return nil
      }
    }
  }

  extension Parameters {
    /// Random members that PHP can tell apart: no containers without elements, no brackets in keys, and none of
    /// what a multipart form escapes for good.
    static func tree(depth: Int, of encoder: QueryEncoder, using random: inout some RandomNumberGenerator)
      -> Parameters
    {
      Parameters(
        (0..<Int.random(in: 1...4, using: &random)).map { number in
          let key = text(using: &random).unicodeScalars.filter { !"[]. \0\"\n".unicodeScalars.contains($0) }
          return Member(
            key: "k\(number)" + String(String.UnicodeScalarView(key)),
            value: value(depth: depth, of: encoder, using: &random)
          )
        }
      )
    }

    private static func value(
      depth: Int,
      of encoder: QueryEncoder,
      using random: inout some RandomNumberGenerator
    ) -> ParameterValue {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
      case 0: return .null
      case 1: return .bool(Bool.random(using: &random))
      case 2: return .int(Int.random(in: .min ... .max, using: &random))
      case 3, 4: return .string(text(using: &random))
      case 5: return .object(tree(depth: depth - 1, of: encoder, using: &random))
      default:
        // The default style does not tell where an element ends that is a container.
        let below = if case .indexed = encoder.arrayStyle { depth - 1 } else { 0 }
        return .array(
          (0..<Int.random(in: 1...4, using: &random)).map { _ in
            value(depth: below, of: encoder, using: &random)
          }
        )
      }
    }

    /// Text of characters that mean something in queries, and of any others.
    private static func text(using random: inout some RandomNumberGenerator) -> String {
      let pieces = [
        "a", "9", " ", "+", "%", "%20", "&", "=", "#", "?", "/", "[", "]", ",", ";", "~", "*", "\"", "\n",
        ".",
        "\0", "\u{E4}", "e\u{301}",
      ]
      return (0..<Int.random(in: 0...5, using: &random)).map { _ in
        let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)).map(String.init)
        return Bool.random(using: &random) ? scalar ?? "" : pieces.randomElement(using: &random) ?? ""
      }.joined()
    }
  }

  /// The same numbers for the same seed, so that a failure repeats.
  struct Seeded: RandomNumberGenerator {
    private let source: SeededRandom

    init(seed: UInt64) {
      source = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 { source.next() }
  }
#endif
