import Foundation
import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct DateTimePatternTests {
  @Test(arguments: [
    ("yyyy-MM-dd", "2024-02-29", true), ("yyyy-MM-dd", "2023-02-29", false),
    ("yyyy-MM-dd", "2024-2-9", false),
    ("yyyy-M-d", "2024-2-9", true), ("yyyy-M-d", "2024-12-31", true), ("yyyy-MM-dd", "2024-02-29 ", false),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-01-01T23:59:59.123Z", true),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-01-01T23:59:59.123+01:00", true),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-01-01T23:59:59.123+0100", false),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-01-01T23:59:59.12Z", false),
    ("yyyy-MM-dd'T'HH:mm:ssZ", "2024-01-01T23:59:59+0000", true),
    ("yyyy-MM-dd'T'HH:mm:ssX", "2024-01-01T23:59:59+01", true), ("HH:mm", "24:00", false),
    ("yyyyMMddHHmmss", "20240131235959", true), ("h:mm a", "12:05 pm", true), ("h:mm a", "13:05 PM", false),
    ("EEE, d MMM yyyy HH:mm:ss", "Mon, 1 Jan 2024 00:00:00", true),
    ("EEE, d MMM yyyy HH:mm:ss", "Tue, 1 Jan 2024 00:00:00", false),
    ("EEEE d MMMM", "Monday 1 January", true),
    ("HH 'o''clock'", "09 o'clock", true), ("yyyy-MM-dd HH:mm z", "2024-01-01 10:00 CET", true),
    ("dd/MM/yy", "29/02/24", true), ("yyyy-DDD", "2024-366", true), ("HH:mm:ss", "12:00:61", false),
    ("", "", true),
  ])
  func matchesTextsAgainstADatePattern(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try DateTimePattern(pattern).matches(text) == isMatch)
  }

  @Test(arguments: ["yyyy-bb", "'open", "yyyy'"])
  func refusesAMalformedDatePattern(pattern: String) {
    #expect(throws: DateTimePatternError.self) { try DateTimePattern(pattern) }
  }

  @Test(arguments: [
    ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-02-29T13:07:09.250Z"), ("EEE, d MMM yyyy", "Thu, 29 Feb 2024"),
    ("EEEE, MMMM D", "Thursday, February 60"), ("h:mm a", "1:07 PM"), ("yy Y w Q", "24 2024 9 1"),
    ("kk KK S", "13 01 2"), ("Z ZZZZ x XX xxx", "+0000 GMT+00:00 +00 Z +00:00"),
  ])
  func formatsADate(pattern: String, text: String) throws {
    let date = Date(timeIntervalSince1970: 1_709_212_029.25)
    #expect(try DateTimePattern(pattern).string(from: date) == text)
  }

  @Test(arguments: [
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "EEE, d MMM yyyy HH:mm:ss z", "yyyyMMddHHmmss", "EEEE d MMMM y, h:mm a",
  ])
  func formattedTextMatches(pattern: String) throws {
    let pattern = try DateTimePattern(pattern)
    for day in 0..<800 {
      let text = pattern.string(from: Date(timeIntervalSince1970: Double(day) * 100_000.5))
      #expect(pattern.matches(text), "\(text)")
    }
  }
}

@Suite struct TextValueTests {
  @Test(arguments: ["1.0.0", "0.0.0", "10.20.30-alpha.1+build.5", "1.0.0--", "1.0.0+001", "1.0.0-0a"])
  func acceptsASemanticVersion(text: String) { #expect(SemanticVersion.problem(of: text) == nil) }

  @Test(arguments: [
    "", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.0-01", "1.0.0-", "1.0.0+", "v1.0.0", "1.0.x", "1.0.0-a..b",
  ])
  func refusesAMalformedVersion(text: String) { #expect(SemanticVersion.problem(of: text) != nil) }

  @Test(arguments: [
    ("{\"a\":1}", "application/json"), (" [1]", "application/json"),
    ("<?xml version='1.0'?><a/>", "application/xml"),
    ("<a/>", "application/xml"), ("<!DOCTYPE html><p>", "text/html"), ("hello", "text/plain"),
    ("GIF89a", "image/gif"),
    ("%PDF-1.4", "application/pdf"), ("PK\u{3}\u{4}", "application/zip"),
    ("a\u{0}b", "application/octet-stream"),
  ])
  func recognizesTheMediaTypeOfAText(text: String, type: String) {
    #expect(ContentSniffer.mediaType(of: Bytes(text)).description == type)
  }

  @Test func recognizesImages() {
    #expect(ContentSniffer.mediaType(of: Bytes([0xFF, 0xD8, 0xFF, 0xE0])) == .jpeg)
    #expect(ContentSniffer.mediaType(of: Bytes([0x89] + Array("PNG\r\n\u{1A}\n".utf8))) == .png)
    #expect(ContentSniffer.mediaType(of: Bytes([0xC3])) == .octetStream)
    #expect(ContentSniffer.mediaType(of: Bytes()) == .plainText)
  }
}
