import HTTPTypes
import Stagecoach

@testable import StagecoachFixtures

/// The encodings, written independently of the library.
enum EncodedSecret: String, CaseIterable {
  case raw, percent, form, json, markup, base64, base64url, hexadecimal

  func callAsFunction(_ text: String) -> String {
    switch self {
    case .raw: text
    case .percent: escape(text) { "%" + EncodedSecret.hex($0, upper: true) }
    case .form: escape(text) { $0 == 0x20 ? "+" : "%" + EncodedSecret.hex($0, upper: false) }
    case .json:
      text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\", "/": "\\\(scalar)"
        case "&", "<", "'": "\\u00" + EncodedSecret.hex(UInt8(scalar.value), upper: false)
        default: String(scalar)
        }
      }
      .joined()
    case .markup:
      text.unicodeScalars.map { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "/": "&#x2F;"
        default: String(scalar)
        }
      }
      .joined()
    case .base64: EncodedSecret.base64Text(text)
    case .base64url:
      EncodedSecret.base64Text(text).replacing("+", with: "-").replacing("/", with: "_").replacing(
        "=",
        with: ""
      )
    case .hexadecimal: text.utf8.map { EncodedSecret.hex($0, upper: false) }.joined()
    }
  }

  private func escape(_ text: String, _ escape: (UInt8) -> String) -> String {
    text.utf8.map { octet in
      let isPlain = octet < 0x80 && Character(Unicode.Scalar(octet)).isLetter || (0x30...0x39).contains(octet)
      return isPlain ? String(Unicode.Scalar(octet)) : escape(octet)
    }
    .joined()
  }

  private static func hex(_ octet: UInt8, upper: Bool) -> String {
    (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: upper)
  }

  private static func base64Text(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let octets = Array(text.utf8)
    var result = ""
    for start in stride(from: 0, to: octets.count, by: 3) {
      let group = Array(octets[start..<min(start + 3, octets.count)])
      let padded = group + [UInt8](repeating: 0, count: 3 - group.count)
      let bits = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
      for index in 0..<4 {
        result.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : "=")
      }
    }
    return result
  }
}

struct SecretGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func secret(length: ClosedRange<Int> = 6...60, _ alphabet: String = SecretGenerator.everything)
    -> String
  {
    let alphabet = Array(alphabet)
    return String(
      (0..<Int.random(in: length, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "x" }
    )
  }

  static let token = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/"
  static let everything = token + "\"\\&<>'%=:?#@!$ {}[]()*,é€"
}

extension RedactableMessage {
  /// All texts, as files.
  var files: [(name: String, bytes: Bytes)] {
    texts().map { ("\($0.place)", Bytes($0.text)) }
  }

  var text: String { String(decoding: body ?? Bytes()) }
}

func redactAll(
  _ messages: [RedactableMessage],
  _ options: RedactionOptions = RedactionOptions()
) throws -> (redactor: Redactor, messages: [RedactableMessage]) {
  let redactor = Redactor(options)
  try redactor.learn(messages)
  return (redactor, try messages.map { try redactor.redact($0) })
}
