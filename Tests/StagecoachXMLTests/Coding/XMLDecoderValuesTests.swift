import StagecoachXML
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct XMLDecoderValuesTests {
  private static func value<Value: Decodable>(
    _ type: Value.Type = Value.self,
    _ text: String,
    _ configure: (inout XMLDecoder) -> Void = { _ in }
  ) -> Value? {
    do {
      return try decode([Value].self, "<a><b>\(text)</b></a>", configure)[0]
    } catch {
      #expect(error is DecodingError)
      return nil
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("+7", 7), (" 12\n", 12), ("007", 7), ("127", 127), ("-128", -128),
      ("128", nil), ("-129", nil), ("1.0", nil), ("1e2", nil), ("", nil), ("-", nil), ("+", nil),
      ("1 2", nil),
      ("0x1", nil), ("1_0", nil), ("\u{661}", nil), ("000000000000000000000000000012", 12),
      ("99999999999999999999", nil),
    ] as [(String, Int8?)]
  )
  func readsIntegersOrRefusesThem(text: String, value: Int8?) {
    #expect(Self.value(Int8.self, text) == value)
  }

  @Test func readsTheExtremesOfIntegerTypes() {
    #expect(Self.value(Int64.self, "\(Int64.min)") == Int64.min)
    #expect(Self.value(Int64.self, "\(Int64.max)") == Int64.max)
    #expect(Self.value(UInt64.self, "\(UInt64.max)") == UInt64.max)
    #expect(Self.value(UInt64.self, "\(UInt64.max)0") == nil)
    #expect(Self.value(UInt.self, "-1") == nil)
    #expect(Self.value(Int128.self, "\(Int128.min)") == Int128.min)
    #expect(Self.value(UInt128.self, "\(UInt128.max)") == UInt128.max)
  }

  @Test(
    arguments: [
      ("1.5", 1.5), ("-0.25", -0.25), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-3", 0.001), ("1e+2", 100),
      ("INF", .infinity), ("-INF", -.infinity), ("+INF", .infinity),
      ("123456789012345678901234567890", 1.2345678901234568e29),
      ("1e400", .infinity), ("1e-400", 0), ("0.1", 0.1), ("2.2250738585072014e-308", 2.2250738585072014e-308),
      ("inf", nil), ("nan", nil), ("infinity", nil), ("0x1p3", nil), ("1e", nil), (".", nil), ("e1", nil),
      ("1.2.3", nil),
      ("--1", nil), ("1,5", nil), ("", nil), ("1 ", 1), ("1e99999999999999999999", .infinity),
    ] as [(String, Double?)]
  )
  func readsDoublesOrRefusesThem(text: String, value: Double?) {
    #expect(Self.value(Double.self, text) == value)
  }

  @Test func floatingPointIsReadAsItIsWritten() {
    #expect(Self.value(Double.self, "NaN")?.isNaN == true)
    #expect(Self.value(Float.self, "0.1") == 0.1)
    #expect(Self.value(Float.self, "INF") == .infinity)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let double = Double(bitPattern: generator.next())
      if double.isFinite { #expect(Self.value(Double.self, "\(double)") == double) }
      let short = Double(Int64.random(in: -999_999_999...999_999_999)) / 1000
      #expect(Self.value(Double.self, "\(short)") == short)
    }
  }

  @Test func readsDecimalsExactlyOrRefusesThem() {
    #expect(Self.value(Decimal.self, " 12.340 ") == Decimal(1234) / 100)
    #expect(Self.value(Decimal.self, "-0.1") == Decimal(-1) / 10)
    #expect(Self.value(Decimal.self, "12abc") == nil)
    #expect(Self.value(Decimal.self, "") == nil)
  }

  @Test(
    arguments: [
      ("true", true), ("false", false), ("1", true), (" 0 ", false), ("TRUE", nil), ("yes", nil), ("", nil),
      ("2", nil),
    ] as [(String, Bool?)]
  )
  func readsBooleansOrRefusesThem(text: String, value: Bool?) {
    #expect(Self.value(Bool.self, text) == value)
  }

  @Test func readsURLsAndRefusesAnEmptyOne() {
    #expect(Self.value(URL.self, " http://h/a?b ") == URL(string: "http://h/a?b"))
    #expect(Self.value(URL.self, "") == nil)
  }

  @Test func readsRawValuesAndRefusesUnknownOnes() {
    enum Color: String, Decodable { case red }
    #expect(Self.value(Color.self, "red") == .red)
    #expect(Self.value(Color.self, "blue") == nil)
  }

  // MARK: - Dates

  @Test(
    arguments: [
      ("2026-02-28T12:30:00Z", 1_772_281_800), ("2026-02-28T12:30:00+02:00", 1_772_274_600),
      ("2026-02-28T12:30:00-05:30", 1_772_301_600), ("2026-02-28T12:30:00", 1_772_281_800),
      ("2026-02-28T12:30:00.250Z", 1_772_281_800.25), ("2026-02-28", 1_772_236_800),
      (" 2026-02-28Z ", 1_772_236_800), ("1969-12-31T23:59:59Z", -1), ("2024-02-29", 1_709_164_800),
      ("2026-02-28T24:00:00Z", 1_772_323_200), ("12026-02-28T12:30:00Z", 317_341_801_800),
      ("0000-01-01", -62_167_219_200), ("-0001-12-31", -62_167_305_600),
      ("99999999-12-31T23:59:59Z", 3_155_633_032_780_799),
      ("012026-02-28", nil), ("123456789-01-01", nil), ("-026-01-01", nil), ("+2026-01-01", nil),
      ("--2026-01-01", nil),
      ("2026-02-29", nil), ("2026-13-01", nil), ("2026-00-01", nil), ("2026-2-28", nil),
      ("2026-02-28T12:30Z", 1_772_281_800), ("2026-02-28 12:30:00", 1_772_281_800),
      ("2026", nil), ("2026-02", nil),
      ("2026-02-28T12:30:00.Z", nil), ("2026-02-28T25:00:00Z", nil), ("2026-02-28T24:00:01Z", nil),
      ("2026-02-28T12:30:00+0200", 1_772_274_600), ("2026-02-28T12:30:00z", 1_772_281_800),
      ("2026-02-28T12:30:00+15:00", nil), ("2026-02-28T12:30:00+020", nil), ("2026-02-28T", nil),
      ("2026-02-28x", nil), ("", nil),
      ("x", nil),
    ] as [(String, Double?)]
  )
  func readsISO8601DatesOrRefusesThem(text: String, seconds: Double?) {
    #expect(Self.value(Date.self, text) == seconds.map { Date(timeIntervalSince1970: $0) })
  }

  @Test(
    arguments: [
      ("Sat, 28 Feb 2026 12:30:00 GMT", 1_772_281_800), ("28 Feb 26 12:30 +0000", 1_772_281_800),
      ("Sat, 28 Feb 2026 14:30:00 +0200", 1_772_281_800), ("Sat, 28 feb 2026 07:30:00 EST", 1_772_281_800),
      ("Sat, 30 Feb 2026 12:30:00 GMT", nil), ("Sat, 28 Feb 2026 12:60:00 GMT", nil),
      ("28 Feb 2026 12:30:00", nil),
      ("Sat, 28 Feb 2026 12:30:00 +0260", nil), ("2026-02-28", nil),
    ] as [(String, Double?)]
  )
  func readsInternetMessageDatesOrRefusesThem(text: String, seconds: Double?) {
    #expect(
      Self.value(Date.self, text) { $0.dateStyle = .internetMessage }
        == seconds.map { Date(timeIntervalSince1970: $0) }
    )
  }

  /// The entries of a feed from the field, and the same instant as Atom has it.
  @Test func readsAFeedThatMixesDateFormats() throws {
    struct Feed: Decodable { var d: [Date] }
    let feed = """
      <r><d>Fri, 21 Dec 2018 03:27:25 +0000 (UTC)</d><d>Fri,21 Dec 2018 03:27:25 +0000</d>
      <d>Fri, 21 Dec 2018 03:27:25 gmt</d><d>Fri, 21 Dec 2018 03:27:25 A</d><d> 2018-12-21T03:27:25Z
      </d></r>
      """
    var decoder = XMLDecoder()
    decoder.dateStyle = .iso8601OrInternetMessage
    let dates = try decoder.decode(Feed.self, from: feed).d
    #expect(dates == [Date](repeating: Date(timeIntervalSince1970: 1_545_362_845), count: 5))
    var encoder = XMLEncoder()
    encoder.dateStyle = .iso8601OrInternetMessage
    #expect(
      String(decoding: try encoder.encode(dates[0], root: "d"), as: UTF8.self).contains(
        ">2018-12-21T03:27:25Z<"
      )
    )
  }

  @Test func readsSecondsMillisecondsDaysAndCustomDates() {
    struct Bad: Error {}
    let date = Date(timeIntervalSince1970: 1.5)
    #expect(Self.value(Date.self, "1.5") { $0.dateStyle = .seconds } == date)
    #expect(Self.value(Date.self, "1500") { $0.dateStyle = .milliseconds } == date)
    #expect(
      Self.value(Date.self, "1970-01-02") { $0.dateStyle = .day } == Date(timeIntervalSince1970: 86_400)
    )
    #expect(Self.value(Date.self, "1970-01-02T00:00:00Z") { $0.dateStyle = .day } == nil)
    let custom = XMLEncoder.DateStyle.custom(
      write: { _ in "" },
      read: { if $0 == "now" { date } else { throw Bad() } }
    )
    #expect(Self.value(Date.self, "now") { $0.dateStyle = custom } == date)
    #expect(Self.value(Date.self, "then") { $0.dateStyle = custom } == nil)
  }

  @Test func readsBase64AndHexadecimalData() {
    #expect(Self.value(Data.self, " aGVs\n bG8= ") == Data("hello".utf8))
    #expect(Self.value(Data.self, "") == Data())
    #expect(Self.value(Data.self, "a!") == nil)
    #expect(Self.value(Data.self, "0aFF") { $0.dataStyle = .hexadecimal } == Data([10, 255]))
    #expect(Self.value(Data.self, "0aF") { $0.dataStyle = .hexadecimal } == nil)
    #expect(Self.value(Data.self, "0g") { $0.dataStyle = .hexadecimal } == nil)
    let custom = XMLEncoder.DataStyle.custom(write: { _ in "" }, read: { Data($0.utf8) })
    #expect(Self.value(Data.self, "x") { $0.dataStyle = custom } == Data("x".utf8))
  }
}

/// Values in elements that have attributes, or white space around them.
@Suite struct XMLDecoderLooseValuesTests {
  enum Size: String, Codable { case small = "S", large = "L" }
  enum Level: Int, Codable { case one = 1 }
  struct Point: Decodable, Equatable { var x: Int }

  /// As SOAP writes it.
  @Test func anEmptyElementWithAnAttributeIsNil() throws {
    struct Values: Decodable {
      var n: Int?, b: Bool?, d: Date?, u: UUID?, s: Size?, p: Point?, t: String?, l: [Int?]
      @XMLText var text: String?
    }
    let start = """
      <r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
      """
    let values = try decode(
      Values.self,
      start
        + """
        <n xsi:type="xsd:int"/><b a=""/><d xsi:type="xsd:dateTime"> </d><u a=""/><s a=""/><t a=""/><l a=""/><l>1</l></r>
        """
    )
    #expect(values.n == nil && values.b == nil && values.d == nil && values.u == nil && values.s == nil)
    #expect(values.t == "" && values.l == [nil, 1] && values.p == nil)
    // Attributes may be what a type with keys consists of.
    #expect(throws: DecodingError.self) { try decode(Values.self, "<r><p y='1'/></r>") }
    #expect(try decode(Values.self, "<r><p x='1'/></r>").p == Point(x: 1))
    struct Twice: Decodable { var p: Point?? }
    #expect(throws: DecodingError.self) { try decode(Twice.self, "<r><p y='1'/></r>") }
    #expect(try decode(Twice.self, "<r><p x='1'/></r>").p == Point(x: 1))
    #expect(throws: DecodingError.self) { try decode(Values.self, "<r><n a=''>x</n></r>") }
    struct Required: Decodable { var n: Int }
    #expect(throws: DecodingError.self) { try decode(Required.self, "<r><n a=''/></r>") }
  }

  @Test func trimsWhiteSpaceAroundRawValues() throws {
    struct Values: Decodable {
      var size: Size, level: Level, id: UUID, list: [Size], maybe: Size?
      @XMLAttribute var attribute: Size
    }
    let id = "0A0B0C0D-0000-0000-0000-000000000001"
    let text = """
      <r attribute=' L '><size>
        S </size><level> 1 </level><id> \(id)
      </id><list>S</list><list> L<!-- c --> </list><maybe> S</maybe></r>
      """
    let values = try decode(Values.self, text)
    #expect(values.size == .small && values.level == .one && values.id.uuidString == id)
    #expect(values.list == [.small, .large] && values.maybe == .small && values.attribute == .large)
    // A structure with a raw value is any text.
    struct Tag: RawRepresentable, Decodable { var rawValue: String }
    #expect(try decode([Tag].self, "<r><a> x </a></r>").map(\.rawValue) == [" x "])
  }

  @Test(
    arguments: [
      ("<size>XL</size>", "“XL” is not a Size, in line 1 at /r/size"),
      ("<id>1</id>", "“1” is not a UUID, in line 1 at /r/id"),
      ("<level>2</level>", "“2” is not a Level, in line 1 at /r/level"),
      ("<level>x</level>", "“x” is not a Level, in line 1 at /r/level"),
    ]
  )
  func errorsSayWhere(text: String, message: String) throws {
    struct Values: Decodable { var size: Size?, level: Level?, id: UUID? }
    let error = #expect(throws: DecodingError.self) { try decode(Values.self, "<r>\(text)</r>") }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == message)
    #expect(context.codingPath.count == 1)
  }
}
