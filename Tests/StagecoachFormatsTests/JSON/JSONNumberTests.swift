import StagecoachFormats
import Testing

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0", 0), ("0e99999999999999999999", 0), ("42", 42), ("-7", -7), ("1.0", 1),
      ("1.50e2", 150),
      ("1e3", 1_000), ("1E+3", 1_000), ("1200e-2", 12), ("0.001e5", 100), ("-2.5e1", -25),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("922337203685477580.7e1", .max),
      ("1.5", nil), ("15e-1", nil), ("0.1", nil), ("9223372036854775808", nil), ("1e19", nil),
      ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil), ("1e-9223372036854775808", nil),
      ("1.5e9223372036854775807", nil), ("1.5e-9223372036854775808", nil), ("10e9223372036854775807", nil),
    ] as [(String, Int64?)]
  )
  func readsSignedIntegersExactly(text: String, value: Int64?) throws {
    #expect(try #require(JSONNumber(text)).int64 == value)
  }

  @Test(
    arguments: [
      ("18446744073709551615", .max), ("1844674407370955161.5e1", .max), ("18446744073709551616", nil),
      ("-1", nil),
      ("-0", 0), ("2e19", nil), ("1e19", 10_000_000_000_000_000_000),
    ] as [(String, UInt64?)]
  )
  func readsUnsignedIntegersExactly(text: String, value: UInt64?) throws {
    #expect(try #require(JSONNumber(text)).uint64 == value)
  }

  @Test(
    arguments: [
      ("0.1", 0.1), ("-1.5e3", -1_500), ("1e308", 1e308), ("1e309", nil), ("-1e400", nil), ("1e-400", 0),
      ("5e-324", .leastNonzeroMagnitude), ("9007199254740993", 9_007_199_254_740_992),
    ] as [(String, Double?)]
  )
  func readsDoubles(text: String, value: Double?) throws {
    #expect(try #require(JSONNumber(text)).double == value)
  }

  @Test(arguments: ["", " 1", "1 ", "+1", "01", "-", ".5", "1.", "1e", "0x10", "NaN", "Infinity", "1,2", "١"])
  func refusesOtherLiterals(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func keepsLiterals() throws {
    #expect(JSONNumber("1.0") != JSONNumber("1"))
    #expect(JSONNumber("1e0") != JSONNumber("1E0"))
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    #expect(JSONNumber(Double(2))?.text == "2.0")
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(-Double.infinity) == nil)
    #expect((3 as JSONNumber) == JSONNumber(3))
    #expect((0.5 as JSONNumber).description == "0.5")
    #expect(JSONNumber(String(repeating: "9", count: 5_000))?.text.count == 5_000)
  }

  @Test func doublesSurviveTheirText() throws {
    for value in [0.1, -0.0, .pi, 1e21, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1 / 3] {
      let number = try #require(JSONNumber(value))
      #expect(number.double?.bitPattern == value.bitPattern)
      #expect(JSONNumber(number.text) == number)
    }
  }
}
