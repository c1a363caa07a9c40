import ArgumentParser
import Foundation

@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stagecoach-benchmarks",
    abstract: "Compares this library with its peers, in turns within one run, and prints medians."
  )

  @Flag(help: "Print a JSON array of rows.")
  var json = false

  @Flag(help: "Fewer rounds and smaller transfers.")
  var quick = false

  @Option(help: "Only rows whose name begins with this, such as xml/ or get-small/64.")
  var rows: String?

  @Flag(help: .hidden)
  var serve = false

  @Flag(help: .hidden)
  var spin = false

  @Option(help: .hidden)
  var transfer: TransferRows.Kind?

  @Option(help: .hidden)
  var engine = TransferRows.Engine.asyncHTTPClient

  @Option(help: .hidden)
  var peak: TransferRows.Which?

  @Option(help: .hidden)
  var requests: NetworkRows.Exchanges?

  @Option(help: .hidden)
  var concurrency = 1

  @Option(help: .hidden)
  var connections = NetworkRows.defaultConnections

  @Option(help: .hidden)
  var growth: MultipartRows.Kind?

  @Option(help: .hidden)
  var fileDownload: String?

  @Option(help: .hidden)
  var filling: CacheRows.Filling?

  @Flag(help: .hidden)
  var againstCurl = false

  @Option(help: .hidden)
  var path = ""

  @Option(help: .hidden)
  var size = 100

  @Option(help: .hidden)
  var url = ""

  func run() async throws {
    if spin { try AwakeProcessors.spin() }
    if serve { return try await OriginProcess.serve() }
    if let transfer { return print(try await result(of: transfer)) }
    if let requests {
      return print(
        try await NetworkRows.costs(
          of: requests,
          count: size,
          concurrency: concurrency,
          connections: connections,
          url: url
        )
      )
    }
    if let filling { return print(try await CacheRows.peak(of: filling, times: size)) }
    if let growth { return print(try await MultipartRows.growth(of: growth, path: path, url: url)) }
    if let fileDownload {
      return print(try await FileDownloadRows.costs(in: fileDownload, url: url, againstCURL: againstCurl))
    }
    var result: [Row] = []
    result += try FileDownloadRows(quick: quick, wants: wants).run()
    if wants("chain/") || wants("events/") { result += try await ChainRows(quick: quick).run() }
    if wants("query/") || wants("json/") { result += try await SerializationRows(quick: quick).run() }
    if wants("replay/") || wants("record/") { result += try await FixtureRows(quick: quick).run() }
    result += try await RedactionRows(quick: quick, wants: wants).run()
    if wants("form/") { result += try await FormRows(quick: quick).run() }
    if wants("sse/") { result += try await ServerSentEventRows(quick: quick).run() }
    if wants("xml/events/") || wants("xml/document/") {
      result += try await XMLRows(quick: quick, wants: wants).run()
    }
    if wants("xml/decode/") { result += try await XMLCodingRows(quick: quick).run() }
    if wants("xml/records/") { result += try XMLRecordRows(quick: quick).run() }
    if wants("gzip/") { result += try await ContentCodingRows(quick: quick).run() }
    let origin = try OriginProcess()
    defer { origin.stop() }
    result += try await NetworkRows(quick: quick, url: origin.url, wants: wants).run()
    result += try TransferRows(quick: quick, url: origin.url, wants: wants).run()
    result += try await TransportRows(quick: quick, url: origin.url, wants: wants).run()
    if wants("cache/") { result += try await CacheRows(quick: quick, url: origin.url, wants: wants).run() }
    if wants("multipart/") { result += try await MultipartRows(quick: quick, url: origin.url).run() }
    let filtered = result.filter { rows.map($0.name.hasPrefix) ?? true }
    print(json ? try Self.json(filtered) : Self.table(filtered))
  }

  private func result(of transfer: TransferRows.Kind) async throws -> String {
    if let peak {
      return "\(try await TransferRows.peak(of: transfer, engine: engine, which: peak, size: size, url: url))"
    }
    return try await TransferRows.costs(of: transfer, engine: engine, size: size, url: url)
  }

  /// Whether any row whose name starts like this may be asked for.
  private func wants(_ name: String) -> Bool {
    guard let rows else { return true }
    return name.hasPrefix(rows) || rows.hasPrefix(name)
  }

  private static func json(_ rows: [Row]) throws -> String {
    let objects = rows.map { row -> [String: Any] in
      [
        "name": row.name, "unit": row.unit, "ours": row.ours, "peer": row.peer, "peerName": row.peerName,
        // Nothing against nothing is no number, which JSON could not hold either.
        "ratio": row.ratio.isFinite ? row.ratio : NSNull(),
      ]
    }
    let data = try JSONSerialization.data(
      withJSONObject: objects,
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    )
    return String(decoding: data, as: UTF8.self)
  }

  private static func table(_ rows: [Row]) -> String {
    rows.map { row in
      let numbers = [row.ours, row.peer, row.ratio].map { String(format: "%12.3f", $0) }.joined()
      return row.name.padding(toLength: 38, withPad: " ", startingAt: 0) + numbers
        + "  \(row.unit), \(row.peerName)"
    }.joined(separator: "\n")
  }
}
