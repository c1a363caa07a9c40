#if Tool
  import NIOCore
  import StagecoachCore

  /// The documents that the sample routes answer with.
  enum Samples {
    static func json(count: Int) -> JSONValue {
      [
        "title": "Stagecoach",
        "count": .number(count),
        "tags": ["http", "swift", "Grüße, 世界"],
        "author": ["name": "A. Driver", "active": true, "manager": .null],
      ]
    }

    /// Records until the length is reached, the same ones every time.
    static func largeJSON(minimumLength: Int) -> ByteBuffer {
      var buffer = ByteBuffer()
      buffer.reserveCapacity(minimumLength + 256)
      buffer.writeStaticString("{\"items\":[")
      var id = 1
      repeat {
        if id > 1 { buffer.writeStaticString(",") }
        // A linear congruential sequence, so that the text compresses like real data, not like one record.
        let noise = (id &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
        let record: JSONValue = [
          "id": .number(id),
          "name": .string("Item \(id)"),
          "price": .number(noise % 100_000),
          "available": .bool(noise % 3 == 0),
          "tags": [.string("tag-\(noise % 17)"), .string("tag-\(noise % 23)")],
          "owner": ["id": .number(noise % 997), "name": .string("Owner \(noise % 997)")],
        ]
        buffer.writeBytes(record.serialized())
        id += 1
      } while buffer.readableBytes < minimumLength - 2
      buffer.writeStaticString("]}")
      return buffer
    }

    static let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <catalog xmlns:m="urn:example:meta">
        <!-- two books -->
        <book id="1" m:lang="en"><title>Roads &amp; Inns</title><price currency="EUR">12.50</price></book>
        <book id="2" m:lang="de"><title>Grüße</title><note><![CDATA[a < b]]></note></book>
      </catalog>

      """

    static let feed = """
      <?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <id>urn:example:feed</id>
        <title>Timetable</title>
        <updated>2024-05-01T12:00:00Z</updated>
        <entry>
          <id>urn:example:feed:1</id>
          <title>First coach</title>
          <updated>2024-05-01T11:00:00Z</updated>
          <link rel="alternate" href="/html"/>
          <dc:creator>A. Driver</dc:creator>
        </entry>
        <entry>
          <id>urn:example:feed:2</id>
          <title>Last coach</title>
          <updated>2024-05-01T12:00:00Z</updated>
          <link rel="alternate" href="/html?page=2"/>
          <dc:creator>B. Guard</dc:creator>
        </entry>
      </feed>

      """

    static let propertyList = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>title</key>
        <string>Stagecoach</string>
        <key>count</key>
        <integer>3</integer>
        <key>tags</key>
        <array>
          <string>http</string>
          <string>swift</string>
        </array>
      </dict>
      </plist>

      """

    static let html = """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Stagecoach</title></head>
      <body>
      <h1>Timetable</h1>
      <ul><li><a href="/json">JSON</a></li><li><a href="/feed.xml">Feed</a></li></ul>
      <p>Grüße, 世界<br>unclosed paragraph
      </body>
      </html>

      """

    /// One red pixel.
    static let png: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00,
      0x00,
      0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00,
      0x00,
      0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0xCF, 0xC0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00,
      0xF7,
      0x03, 0x41, 0x43, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
  }
#endif
