import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct LinesResponseSerializerTests {
  private static func lines(
    _ bytes: [UInt8],
    type: String?,
    charset: Charset? = nil,
    mode: Charset.Mode = .strict
  ) async throws -> [String] {
    let client = try Client(
      over: HandlerTransport { _ in
        .streamed([Bytes(bytes)], type: type)
      }
    )
    let request = Request.get("http://h/").with(\.textCharset, charset)
    return try await all(client.value(for: request, as: LinesResponseSerializer(mode: mode)))
  }

  @Test(
    arguments: [
      ([0xC3, 0xA4, 0x0A, 0x78], nil, ["ä", "x"]),
      ([0xE4, 0x0A, 0x78], "text/plain; charset=iso-8859-1", ["ä", "x"]),
      ([0x80, 0x0D, 0x0A, 0x78], "text/plain; charset=windows-1252", ["€", "x"]),
      ([0xC4, 0xE3, 0x0A, 0xBA, 0xC3], "text/plain; charset=gbk", ["你", "好"]),
      ([0xA7, 0x41, 0x0D, 0xA6, 0x6E], "text/plain; charset=Big5", ["你", "好"]),
      ([0x93, 0xFA, 0x0A, 0x96, 0x7B], "text/plain; charset=Shift_JIS", ["日", "本"]),
      ([0xC6, 0xFC, 0x0A, 0xCB, 0xDC], "text/plain; charset=euc-jp", ["日", "本"]),
      ([0xC1, 0x0A, 0xC2], "text/plain; charset=koi8-r", ["а", "б"]),
      ([0x84, 0x31, 0x95, 0x33, 0x0A], "text/plain; charset=gb18030", ["\u{FEFF}"]),
      ([0xEF, 0xBB, 0xBF, 0xC3, 0xA4], "text/plain; charset=iso-8859-1", ["ä"]),
      ([0xC3, 0xA4], "text/plain; charset=no-such-charset", ["ä"]), ([0x78], "garbage", ["x"]),
    ] as [([UInt8], String?, [String])]
  )
  func theCharsetIsTheOneDeclared(bytes: [UInt8], type: String?, lines: [String]) async throws {
    #expect(try await Self.lines(bytes, type: type) == lines)
  }

  @Test func theRequestMayOverrideTheCharset() async throws {
    let type = "text/plain; charset=utf-8"
    #expect(try await Self.lines([0xE4, 0x0A], type: type, charset: .isoLatin1) == ["ä"])
    #expect(try await Self.lines([0xEF, 0xBB, 0xBF, 0x61], type: type, charset: .isoLatin1) == ["ï»¿a"])
    #expect(try await Self.lines([0xEF, 0xBB, 0xBF, 0x61], type: type, charset: .utf8) == ["a"])
  }

  @Test(arguments: ["utf-16", "utf-16le", "utf-32", "iso-2022-jp", "iso-2022-kr", "utf-7", "ibm037"])
  func whatCannotBeSplitIsRefused(charset: String) async throws {
    guard Charset(charset)?.isSupported == true else { return }
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.lines([0x61, 0x0A], type: "text/plain; charset=\(charset)")
    }
    #expect(error.kind == .serialization)
    #expect(error.message.contains("cannot be split into lines"))
    #expect(error.advice?.contains(".text") == true)
  }

  @Test func anUnknownOverrideIsRefused() async throws {
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.lines([0x61], type: nil, charset: Charset("no-such-charset"))
    }
    #expect(error.underlying as? CharsetError == .unknown("NO-SUCH-CHARSET"))
  }

  @Test func illFormedTextIsAnErrorOrReplaced() async throws {
    let bytes: [UInt8] = [0x61, 0x0A, 0x62, 0xFF, 0x0A]
    let error = try await #require(throws: ExchangeError.self) {
      _ = try await Self.lines(bytes, type: "text/plain")
    }
    #expect(error.kind == .serialization)
    #expect(error.message.hasPrefix("element 1, at byte 2 of the body, is not text"))
    let element = try #require(error.underlying as? ElementError)
    guard case .notText(let reason) = element.reason else {
      Issue.record("\(element.reason)")
      return
    }
    #expect(reason == .undecodable("UTF-8", offset: 1))
    #expect(try await Self.lines(bytes, type: "text/plain", mode: .lossy) == ["a", "b\u{FFFD}"])
  }

  @Test func asksForTextFirstAndTakesAnything() {
    #expect(LinesResponseSerializer().accepts == .text)
    #expect(LinesResponseSerializer(accepting: .json).accepts == .json)
  }
}
