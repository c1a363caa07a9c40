import HTTPTypes

@testable import StagecoachCache
@testable import StagecoachCore

/// An index in memory whose columns take any value, as those of a damaged file may have.
///
/// `@unchecked Sendable` is safe: a fuzzer is one thread.
final class IndexOfAnything: @unchecked Sendable {
  static let shared: IndexOfAnything = {
    do {
      return try IndexOfAnything()
    } catch {
      preconditionFailure("there is no index: \(error)")
    }
  }()

  private let connection: SQLiteConnection
  private let key = CacheKey(url: "http://h/", partition: "p")

  private init() throws {
    connection = try SQLiteConnection(":memory:", folder: "memory", cache: 256)
    try connection.execute(
      """
      CREATE TABLE store (generation, size, count, salt);
      INSERT INTO store VALUES (1, 0, 0, x'00');
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY, url_hash, partition_hash, used, length, file, seal, url, partition, response, checksums
      );
      CREATE TABLE bodies (id INTEGER PRIMARY KEY, data);
      """
    )
  }

  /// Reads a row made of octets in all ways.
  func check(_ octets: [UInt8]) throws {
    var input = Input(octets)
    let row = Row(&input, of: key)
    let hashes = IndexKey(key)
    try connection.run("DELETE FROM entries")
    try connection.run("DELETE FROM bodies")
    try connection.run(
      "INSERT INTO entries VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .integer(hashes.urlHash),
      .integer(hashes.partitionHash),
      row.used,
      row.length,
      row.file,
      row.seal,
      row.url,
      row.partition,
      row.response,
      row.checksums
    )
    if let body = row.body { try connection.run("INSERT INTO bodies VALUES (1, ?)", body) }

    let found = try connection.lookUp(key)
    precondition(found.lookup.entries.count + found.damaged.count <= 1, "one row is several entries")
    for entry in found.lookup.entries {
      precondition(row.isSealed, "a row is used whose checksum is wrong")
      precondition(entry.length >= 0, "a length of \(entry.length)")
      let again = try CachedResponse(decoding: entry.response.encoded)
      precondition(again == entry.response, "a head is written in another way")
    }
    precondition(found.body == nil || row.isSealed, "a body is used of a row whose checksum is wrong")
    let listed = try connection.entries(url: key.url)
    precondition(listed.count >= found.lookup.entries.count, "an entry is not listed")
    for entry in try connection.page(after: 0, limit: 10).entries + listed {
      precondition(entry.size >= entry.entry.length, "an entry takes less than its body")
    }
    if let (read, body) = try connection.row(of: 1), read.file == nil {
      _ = StoredBody(body, length: read.length, checksums: read.checksums)
    }
  }
}

/// The values of a row. Half of them are what a store would have written.
private struct Row {
  let url: SQLiteValue
  let partition: SQLiteValue
  let response: SQLiteValue
  let length: SQLiteValue
  let file: SQLiteValue
  let checksums: SQLiteValue
  let seal: SQLiteValue
  let used: SQLiteValue
  let body: SQLiteValue?
  /// Whether the checksum is right, or may be so by chance.
  let isSealed: Bool

  init(_ input: inout Input, of key: CacheKey) {
    let kinds = input.byte()
    let content = input.octets(Int(input.byte()))
    let number = Int64(bitPattern: input.number())
    let length = kinds & 1 == 0 ? Int64(content.count) : number
    let file: Int64? = kinds & 2 == 0 ? nil : number
    let sums = kinds & 4 == 0 ? BlockChecksums.of(content) : Bytes(input.octets(Int(input.byte())))
    let head = Bytes(input.octets(8192))
    let plain = IndexRow(IndexKey(key), head, length, file: file, sums)
    isSealed = kinds & 8 == 0
    seal = .integer(isSealed ? Int64(plain.seal) : Int64(plain.seal) ^ 1)
    // Of another type, and so another value.
    let isOdd = kinds & 16 != 0
    url = .blob(plain.url)
    partition = .blob(plain.partition)
    response = isOdd && kinds & 32 != 0 ? .integer(number) : .blob(head)
    self.length = isOdd && kinds & 64 != 0 ? .blob(head) : .integer(length)
    checksums = isOdd && kinds & 128 != 0 ? .null : .blob(sums)
    self.file = file.map { .integer($0) } ?? .null
    used = .integer(number)
    body = isOdd ? nil : .blob(Bytes(content))
  }
}

/// Takes values from the front of octets; at the end there are zeros.
private struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ octets: [UInt8]) { rest = octets[...] }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func octets(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number() -> UInt64 { octets(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
