import StagecoachCore

/// Request targets of RFC 3986 for tests: every octet percent-encoded in both cases, and random ones.
struct RandomTarget {
  private static let unreserved = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
  )
  private static let delimiters = Array("!$&'()*+,;=:@".utf8)

  private let random: any RandomSource

  init(_ random: any RandomSource) {
    self.random = random
  }

  /// Paths with each octet percent-encoded, in lower and in upper case.
  static let escapes: [String] = (0...255 as ClosedRange<Int>).flatMap { octet in
    let digits = (octet < 16 ? "0" : "") + String(octet, radix: 16)
    return ["/caf%\(digits)", "/a/%\(digits.uppercased())?b=%\(digits)"]
  }

  /// Returns a path with or without a query.
  func next() -> String {
    let longest = random.next() % 16 == 0 ? 400 : 8
    var target: [UInt8] = []
    for _ in 0..<number(upTo: 4) + 1 {
      target.append(UInt8(ascii: "/"))
      switch random.next() % 8 {
      case 0: target += [UInt8](repeating: UInt8(ascii: "."), count: number(upTo: 2) + 1)
      case 1: break
      default: addUnits(upTo: longest, to: &target)
      }
    }
    if random.next() % 2 == 0 {
      target.append(UInt8(ascii: "?"))
      addUnits(upTo: longest, to: &target)
      if random.next() % 4 == 0 { target += "/??".utf8 }
    }
    return String(decoding: target, as: UTF8.self)
  }

  private func addUnits(upTo count: Int, to target: inout [UInt8]) {
    for _ in 0..<number(upTo: count) {
      switch random.next() % 4 {
      case 0:
        let digits = Array(random.next() % 2 == 0 ? "0123456789abcdef".utf8 : "0123456789ABCDEF".utf8)
        target += [UInt8(ascii: "%"), digits[number(upTo: 15)], digits[number(upTo: 15)]]
      case 1: target.append(Self.delimiters[number(upTo: Self.delimiters.count - 1)])
      default: target.append(Self.unreserved[number(upTo: Self.unreserved.count - 1)])
      }
    }
  }

  private func number(upTo largest: Int) -> Int { Int(random.next() % UInt64(largest + 1)) }
}
