#if Tool
  import StagecoachOrigin
  import Testing

  struct TextRoutesTests {
    @Test(arguments: [
      ("gbk", 20, [0xD6, 0xD0] as [UInt8]), ("big5", 20, [0xA4, 0xA4]), ("shift_jis", 24, [0x93, 0xFA]),
      ("windows-1252", 24, [0x6E, 0x61]), ("utf-8", 20, [0x47, 0x72]), ("utf-16", 26, [0xFE, 0xFF]),
    ])
    func sendsTextInTheLabelledCharset(_ charset: String, _ length: Int, _ start: [UInt8]) async throws {
      try await withOrigin { origin in
        let response = try await origin.exchange("GET", "/text?charset=\(charset)")
        #expect(response["content-type"] == "text/plain; charset=\(charset)")
        #expect(response.body.count == length)
        #expect(Array(response.body.prefix(2)) == start)
      }
    }

    @Test func unicodeEncodingsDecodeToTheSample() async throws {
      try await withOrigin { origin in
        let plain = try await origin.exchange("GET", "/text")
        #expect(plain.text == Origin.sampleText(charset: "UTF-8"))
        let wide = try await origin.exchange("GET", "/text?charset=utf-16").body.dropFirst(2)
        let units = stride(from: wide.startIndex, to: wide.endIndex, by: 2).map {
          UInt16(wide[$0]) << 8 | UInt16(wide[$0 + 1])
        }
        #expect(String(decoding: units, as: UTF16.self) == Origin.sampleText(charset: "utf-16"))
        #expect(Origin.sampleText(charset: "ebcdic") == nil)
      }
    }
  }
#endif
