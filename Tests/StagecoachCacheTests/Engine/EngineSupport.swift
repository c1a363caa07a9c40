import Foundation
import HTTPTypes
import StagecoachCore
import Testing

@testable import StagecoachCache

/// A date this many seconds after the time at which the tables begin.
func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

/// The fields of lines such as `Expires: {60}`, where braces hold seconds from the beginning.
func fields(_ text: String) -> HTTPFields {
  var fields = HTTPFields()
  for line in text.split(separator: "\n") {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
      Issue.record("not a field: \(line)")
      continue
    }
    var value = String(parts[1]).trimmingCharacters(in: .whitespaces)
    while let start = value.firstIndex(of: "{"), let end = value[start...].firstIndex(of: "}"),
      let seconds = Double(value[value.index(after: start)..<end])
    {
      value.replaceSubrange(start...end, with: HTTPDate(time(seconds))?.description ?? "")
    }
    fields.append(HTTPField(name: name, lenientValue: Array(value.utf8)))
  }
  return fields
}

func request(_ text: String = "", _ method: HTTPRequest.Method = .get, path: String = "/a") -> HTTPRequest {
  HTTPRequest(
    method: method,
    scheme: "https",
    authority: "example.com",
    path: path,
    headerFields: fields(text)
  )
}

func response(_ text: String, _ status: Int = 200) -> HTTPResponse {
  HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields(text))
}

/// A stand-in for the salted hash of the stage: Cookie and Authorization are sensitive.
func conceal(_ name: String, _ value: String) -> String? {
  name == "cookie" || name == "authorization" ? "hash(\(value))" : nil
}

let privateRules = CacheRules()
let sharedRules = CacheRules(isShared: true)

extension CacheRules {
  /// Stores a response that is sent and arrives at one time.
  func store(
    _ text: String,
    _ status: Int = 200,
    to request: HTTPRequest = request(),
    at seconds: Double = 0
  ) -> Result<CachedResponse, StorageRefusal> {
    storable(
      response(text, status),
      to: request,
      sentAt: time(seconds),
      receivedAt: time(seconds),
      conceal: conceal
    )
  }

  /// An entry with ten bytes of content, or with those of Content-Range.
  func entry(
    _ text: String,
    _ status: Int = 200,
    to request: HTTPRequest = request(),
    at seconds: Double = 0,
    id: UInt64 = 1,
    length: Int64? = nil
  ) throws -> CacheEntry {
    let response = try store(text, status, to: request, at: seconds).get()
    let ranged = response.head.headerFields.contentRange.map { Int64($0.bytes.count) }
    return CacheEntry(id: id, response: response, length: length ?? ranged ?? 10)
  }

  func act(
    on request: HTTPRequest,
    _ entries: [CacheEntry],
    mode: CacheMode = .default,
    at seconds: Double = 0
  ) -> CacheVerdict {
    verdict(for: request, among: entries, mode: mode, at: time(seconds), conceal: conceal)
  }

  func apply304(
    _ text: String,
    to candidates: [CacheEntry],
    for request: HTTPRequest = request(),
    at seconds: Double = 100
  ) -> Freshening {
    freshen(
      candidates,
      by: response(text, 304),
      request: request,
      sentAt: time(seconds),
      receivedAt: time(seconds),
      conceal: conceal
    )
  }
}

/// A verdict in a few words, for tables.
func words(_ verdict: CacheVerdict) -> String {
  switch verdict {
  case .serve(let entry, let serving): return "serve\(words(entry, serving))"
  case .validate(let fields, let candidates, let reason):
    let tags = fields[.ifNoneMatch].map { " \($0)" } ?? ""
    let since = fields[.ifModifiedSince] == nil ? "" : " since"
    return
      "validate \(reason.rawValue)\(tags)\(since)\(candidates.count > 1 ? " of \(candidates.count)" : "")"
  case .forward(_, let reason): return "forward \(reason.rawValue)"
  case .complete(let fields, _): return "complete \(fields[.range] ?? "") \(fields[.ifRange] ?? "")"
  case .unavailable: return "504"
  }
}

func words(_ entry: CacheEntry, _ serving: Serving) -> String {
  let content =
    switch serving.content {
    case .whole: ""
    case .notModified: " 304"
    case .part(let range, let total): " \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    case .unsatisfiable(let total): " 416/\(total)"
    }
  return (entry.id == 1 ? "" : " #\(entry.id)") + (serving.isStale ? " stale" : "")
    + (serving.revalidates ? " revalidate" : "") + content
}

func words(_ freshening: Freshening) -> String {
  let answer =
    switch freshening.answer {
    case .serve(let entry, let serving): "serve\(words(entry, serving))"
    case .pass: "pass"
    case .repeatWithoutConditions: "repeat"
    }
  let updates = freshening.updates.map { " updates \($0.entry.id)" }.joined()
  return answer + updates + freshening.removals.map { " removes \($0.id)" }.joined()
}

/// A row about storing: `result` is "stored" or the name of the refusal.
struct StoringRow: Sendable, CustomTestStringConvertible {
  var rule: String
  var response: String
  var status = 200
  var request = ""
  var method = HTTPRequest.Method.get
  var isShared = false
  var result: String

  var testDescription: String {
    "\(rule): \(method) \(request.debugDescription) → \(status) \(response.debugDescription)"
      + (isShared ? " (shared)" : "")
  }

  init(
    _ rule: String,
    _ response: String,
    _ status: Int = 200,
    request: String = "",
    method: HTTPRequest.Method = .get,
    shared: Bool = false,
    gives result: String
  ) {
    self.rule = rule
    self.response = response
    self.status = status
    self.request = request
    self.method = method
    isShared = shared
    self.result = result
  }

  func check() {
    let rules = isShared ? sharedRules : privateRules
    let actual =
      switch rules.store(response, status, to: makeRequest(request, method)) {
      case .success: "stored"
      case .failure(let refusal): "\(refusal)"
      }
    #expect(actual == result)
  }
}

/// A row about using what is stored; the stored responses have the identifiers 1, 2, ... and are stored at their index
/// in seconds.
struct UseRow: Sendable, CustomTestStringConvertible {
  var rule: String
  var stored: [String]
  var request: String
  var method: HTTPRequest.Method
  var mode: CacheMode
  var isShared: Bool
  var at: Double
  var result: String

  var testDescription: String {
    "\(rule): \(stored) ← \(method) \(request.debugDescription) \(mode) at \(at)\(isShared ? " (shared)" : "")"
  }

  init(
    _ rule: String,
    _ stored: String...,
    request: String = "",
    method: HTTPRequest.Method = .get,
    mode: CacheMode = .default,
    shared: Bool = false,
    at seconds: Double = 10,
    gives result: String
  ) {
    self.rule = rule
    self.stored = stored
    self.request = request
    self.method = method
    self.mode = mode
    isShared = shared
    at = seconds
    self.result = result
  }

  func check() throws {
    let rules = isShared ? sharedRules : privateRules
    let entries = try stored.enumerated().map { index, text in
      try rules.entry(text, at: Double(index), id: UInt64(index + 1))
    }
    let verdict = rules.act(on: makeRequest(request, method), entries, mode: mode, at: at)
    #expect(words(verdict) == result)
  }
}

/// `request(_:_:)` where a property has its name.
private func makeRequest(_ text: String, _ method: HTTPRequest.Method) -> HTTPRequest {
  request(text, method)
}
