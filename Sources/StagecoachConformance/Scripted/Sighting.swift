import StagecoachCore

/// The expected request at a server.
struct Sighting: Sendable {
  private let startLine: String?
  private let fields: [(name: String, value: String)]
  private let combined: [(name: String, value: String)]
  private let absent: [String]
  private let exactNames: [String]
  private let only: Set<String>?
  private let body: [UInt8]?
  private let bodyLength: Int?
  private let chunks: [[UInt8]]?
  private let trailers: [(name: String, value: String)]?
  private let lacks: [String]

  init(_ json: JSONValue) throws {
    try json.refuseOthers(than: [
      "startLine", "fields", "combined", "absent", "exactNames", "only", "body", "bodyLength", "chunks",
      "trailers", "lacks",
    ])
    startLine = try json["startLine"]?.texts().first
    fields = try json["fields"]?.pairs() ?? []
    combined = try json["combined"]?.pairs() ?? []
    absent = try json["absent"]?.texts() ?? []
    exactNames = try json["exactNames"]?.texts() ?? []
    only = try json["only"].map { Set(try $0.texts().map { $0.lowercased() }) }
    body = try json["body"]?.texts().first.map { Array($0.utf8) }
    bodyLength = try json.number("bodyLength")
    chunks = try json["chunks"]?.texts().map { Array($0.utf8) }
    trailers = try json["trailers"]?.pairs()
    lacks = try json["lacks"]?.texts() ?? []
  }

  func judge(_ request: SeenRequest, addedFields: Set<String>) throws {
    if let startLine {
      try require(
        request.startLine == startLine,
        "it starts with \"\(request.startLine)\", expected \"\(startLine)\""
      )
    }
    // In the order of the script, so that a failure names the same field each time.
    var judged: Set<String> = []
    for (name, _) in fields where judged.insert(name).inserted {
      let wanted = fields.filter { $0.name == name }.map(\.value)
      let seen = request.values(of: name)
      try require(seen == wanted, "\(name) has the values \(seen), expected \(wanted)")
    }
    for field in combined {
      let seen = request.values(of: field.name).joined(separator: ", ")
      try require(seen == field.value, "\(field.name) is \"\(seen)\", expected \"\(field.value)\"")
    }
    for name in absent { try require(request.values(of: name).isEmpty, "there is a field \(name)") }
    if !exactNames.isEmpty {
      let wanted = Set(exactNames.map { $0.lowercased() })
      let seen = request.fields.map(\.name).filter { wanted.contains($0.lowercased()) }
      try require(seen == exactNames, "the fields are \(seen), expected \(exactNames)")
    }
    if let only {
      let allowed = only.union(addedFields.map { $0.lowercased() })
      let others = request.fields.map(\.name).filter { !allowed.contains($0.lowercased()) }
      try require(others.isEmpty, "unexpected fields: \(others)")
    }
    try judgeContent(request)
  }

  private func judgeContent(_ request: SeenRequest) throws {
    if let body {
      try require(
        request.body == body,
        "the body is \"\(String(decoding: request.body.prefix(200), as: UTF8.self))\""
      )
    }
    if let bodyLength {
      try require(request.body.count == bodyLength, "the body has \(request.body.count) bytes")
    }
    if let chunks {
      let seen = request.chunks.map { String(decoding: $0, as: UTF8.self) }
      try require(request.chunks == chunks, "the chunks are \(seen)")
    }
    if let trailers {
      let seen = request.trailers.map { "\($0.name): \($0.value)" }
      let wanted = trailers.map { "\($0.name): \($0.value)" }
      try require(seen == wanted, "the trailers are \(seen), expected \(wanted)")
    }
    let head = String(decoding: request.head, as: UTF8.self)
    for text in lacks { try require(!head.contains(text), "the head holds \"\(text)\"") }
  }
}
