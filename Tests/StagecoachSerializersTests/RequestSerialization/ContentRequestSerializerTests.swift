import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

/// Bytes, text and files.
@Suite struct ContentRequestSerializerTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  private static func apply(_ content: RequestContent, to request: Request = .post("a")) throws -> Request {
    var request = request
    try content.apply(to: &request)
    return request
  }

  @Test func bytesAreSentAsTheyAre() throws {
    let request = try Self.apply(.data(Bytes([0, 255, 13, 10])))
    #expect(request.body.bytes?.array == [0, 255, 13, 10])
    #expect(request.fields[values: .contentType] == ["application/octet-stream"])
    #expect(request.body.isReplayable)
    let image = try Self.apply(.data(Bytes(Data([1, 2])), as: .png))
    #expect(image.fields[.contentType] == "image/png")
    #expect(try Self.apply(.data("")).body.length == 0)
  }

  @Test(
    arguments: [
      (.utf8, "ä", [0xC3, 0xA4], "text/plain;charset=UTF-8"),
      (.isoLatin1, "ä\r\n", [0xE4, 13, 10], "text/plain;charset=ISO-8859-1"),
      (.utf16, "a", [0xFE, 0xFF, 0, 0x61], "text/plain;charset=UTF-16"),
      (.windows1252, "", [], "text/plain;charset=windows-1252"),
    ] as [(Charset, String, [UInt8], String)]
  )
  func textNamesItsCharset(charset: Charset, text: String, bytes: [UInt8], type: String) async throws {
    let request = try Self.apply(.text(text, charset: charset))
    #expect(request.body.bytes?.array == bytes)
    #expect(request.fields[values: .contentType] == [type])
    let response = Response(.ok, fields: request.fields, body: .bytes(request.body.bytes ?? ""))
    #expect(try await TextResponseSerializer().serialize(response) == text)
  }

  @Test func declaresTheTypeOfTheText() throws {
    #expect(try Self.apply(.text("a,b", as: .csv)).fields[.contentType] == "text/csv;charset=UTF-8")
  }

  @Test func textThatTheCharsetDoesNotHaveIsRefusedAndNothingChanges() throws {
    var request = Request.post("a", body: .bytes("old"))
    let error = #expect(throws: ExchangeError.self) {
      try RequestContent.text("a€", charset: .isoLatin1).apply(to: &request)
    }
    #expect(error?.kind == .requestSerialization)
    #expect(error?.stage == "TextRequestSerializer")
    #expect(error?.underlying as? CharsetError == .unencodable("ISO-8859-1", character: "€"))
    #expect(error?.message.contains("U+20AC") == true)
    #expect(request.body.bytes == "old")
    #expect(request.fields.isEmpty)
  }

  @Test func aFileIsOfTheTypeOfItsExtension() async throws {
    let path = try directory.file("report.pdf", Array("%PDF".utf8))
    for (content, type) in [
      (RequestContent.file(path), "application/pdf"),
      (.file(path, as: .octetStream), "application/octet-stream"),
    ] {
      let request = try Self.apply(content)
      #expect(request.fields[values: .contentType] == [type])
      #expect(request.body.length == 4)
      #expect(request.body.isReplayable)
      for _ in 1...2 { #expect(try await read(request.body) == "%PDF") }
    }
  }

  @Test func aMissingFileFailsTheCall() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let client = try Client(over: transport)
    for path in [directory.path + "/missing", directory.path, "/dev/null"] {
      let error = await #expect(throws: ExchangeError.self) {
        _ = try await client.post("http://h/", .file(path), as: .data)
      }
      #expect(error?.kind == .file)
      #expect(error?.stage == "FileRequestSerializer")
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func theCallersTypeStays() throws {
    let path = try directory.file("a.txt", [])
    for content in [.data("a"), .text("a"), .file(path)] as [RequestContent] {
      var request = Request.post("a")
      request.fields[.contentType] = "application/vnd.coach"
      #expect(
        try Self.apply(content, to: request).fields[values: .contentType] == ["application/vnd.coach"]
      )
    }
  }
}
