#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach

  extension Fault {
    /// The header section of requests.
    static let requestFields: [Fault] = [
      .request("Host has no port", noticedBy: ["008": "Host is [[\"127.0.0.1\"]]"]) { request in
        let host = request.head.authority?.split(separator: ":").first.map(String.init)
        request.fields.append(HTTPField(name: HTTPField.Name("Host")!, value: host ?? ""))
      },
      .request("Host has an IPv6 address without brackets", noticedBy: ["009": "Host is [[\"::1:"]) {
        let host = $0.head.authority?.filter { $0 != "[" && $0 != "]" } ?? ""
        $0.fields.append(HTTPField(name: HTTPField.Name("Host")!, value: host))
      },
      .request("Host has the zone of an address", noticedBy: ["009b": "%25lo]"]) {
        $0.fields.append(HTTPField(name: HTTPField.Name("Host")!, value: $0.head.authority ?? ""))
      },
      .fields(
        "of a repeated field the last is sent",
        noticedBy: ["012": "X-A is \"3\"", "014": "is \"en;q=0.5\""]
      ) { fields in
        fields.indices.filter { index in !fields[(index + 1)...].contains { $0.name == fields[index].name } }
          .map { fields[$0] }
      },
      .fields("repeated fields are sent in reverse", noticedBy: ["012": "X-A is \"3, 2, 1\""]) {
        $0.reversed()
      },
      .fields("fields are sorted by name", noticedBy: ["012c": "[\"Accept\", \"X-Apple\""]) {
        $0.sorted { $0.name.rawName < $1.name.rawName }
      },
      .fields("names are sent in lower case", noticedBy: ["013c": "[\"x-lower\", \"x-upper\""]) { fields in
        fields.map { HTTPField(name: HTTPField.Name($0.name.rawName.lowercased())!, value: $0.value) }
      },
      .fields("names are capitalized", noticedBy: ["013c": "[\"X-Lower\", \"X-Upper\""]) { fields in
        fields.map { HTTPField(name: HTTPField.Name($0.name.rawName.capitalizedWords)!, value: $0.value) }
      },
      .fields(
        "the second line of cookies is not sent",
        noticedBy: ["014b": "Cookie has the values [\"a=1\"]"]
      ) {
        fields in
        let first = fields.firstIndex { $0.name == .cookie }
        return fields.indices.filter { fields[$0].name != .cookie || $0 == first }.map { fields[$0] }
      },
      .fields("a field without a value is not sent", noticedBy: ["015": "X-Empty has the values []"]) {
        $0.filter { !$0.value.isEmpty }
      },
      .fields("blanks inside a value become one", noticedBy: ["016": "X-A has the values [\"a b c\"]"]) {
        fields in
        fields.map { field in
          let words = field.value.split { $0 == " " || $0 == "\t" }
          return HTTPField(name: field.name, value: words.joined(separator: " "))
        }
      },
      .fields("a value beyond ASCII is sent with question marks", noticedBy: ["019": "caf?"]) { fields in
        fields.map { field in
          let value = String(field.value.map { $0.isASCII ? $0 : "?" })
          return HTTPField(name: field.name, value: value)
        }
      },
      .fields("values of Latin-1 are sent in UTF-8", noticedBy: ["019b": "Cookie is"]) { fields in
        fields.map { HTTPField(name: $0.name, value: $0.textFromLatin1) }
      },
      .fields("a long value is cut", noticedBy: ["020": "a long value: request 0: X-Long has the values"]) {
        fields in
        fields.map { HTTPField(name: $0.name, value: String($0.value.prefix(65_535))) }
      },
      .fields("the 101st field and all after it are not sent", noticedBy: ["020": "many fields: request 0"]) {
        Array($0.prefix(100))
      },
      .adding("User-Agent", "Faulty/1.0", noticedBy: ["021": "unexpected fields: [\"User-Agent\"]"]),
      .adding("Accept", "*/*", noticedBy: ["021": "unexpected fields: [\"Accept\"]"]),
      .adding("Accept-Encoding", "gzip", noticedBy: ["021": "unexpected fields: [\"Accept-Encoding\"]"]),
      .adding("Cookie", "a=b", noticedBy: ["021": "there is a field Cookie"]),
      .request("content gets a Content-Type", noticedBy: ["021": "unexpected fields: [\"Content-Type\"]"]) {
        if $0.body.length != 0 { $0.fields[.contentType] = "application/octet-stream" }
      },
      .request(
        "Accept-Encoding is overwritten",
        noticedBy: ["076": "Accept-Encoding has the values [\"gzip\"]"]
      ) {
        if $0.fields.contains(.acceptEncoding) { $0.fields[.acceptEncoding] = "gzip" }
      },
      .adding("Connection", "close", noticedBy: ["082": "there were 5 connections"]),
      .request(
        "a GET without content is sent in chunks",
        noticedBy: ["022": "there is a field Transfer-Encoding"]
      ) {
        if $0.body.isEmpty { $0.body = .stream(length: nil) { AsyncStream<Bytes> { $0.finish() } } }
      },
    ]

    private static func fields(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable ([HTTPField]) -> [HTTPField]
    ) -> Fault {
      request(name, noticedBy: checks) { $0.fields = HTTPFields(change(Array($0.fields))) }
    }

    private static func adding(
      _ name: String,
      _ value: String,
      noticedBy checks: KeyValuePairs<String, String>
    ) -> Fault {
      request("\(name) is added", noticedBy: checks) { request in
        guard let name = HTTPField.Name(name), !request.fields.contains(name) else { return }
        request.fields.append(HTTPField(name: name, value: value))
      }
    }
  }

  extension String {
    fileprivate var capitalizedWords: String {
      split(separator: "-", omittingEmptySubsequences: false)
        .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        .joined(separator: "-")
    }
  }

  extension HTTPField {
    /// The value, read as Latin-1 unless it is UTF-8.
    var textFromLatin1: String {
      withUnsafeBytesOfValue { octets in
        String(validating: octets, as: UTF8.self) ?? String(decoding: octets.map(UInt16.init), as: UTF16.self)
      }
    }
  }
#endif
