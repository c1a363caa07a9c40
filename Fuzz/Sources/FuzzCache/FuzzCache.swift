import HTTPTypes

@testable import StagecoachCache
@testable import StagecoachCore
@testable import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Any fields of requests and responses give a verdict of the cache that holds together: nothing is served from beyond
/// what is stored, no lifetime or age is out of bounds, and what must not be stored is not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  checkFields(octets)
  // One line for each field: its first octet is the name, and whose it is.
  var fields = (request: HTTPFields(), response: HTTPFields())
  for line in octets.split(separator: UInt8(ascii: "\n")).prefix(24) {
    guard let first = line.first else { continue }
    let name = names[Int(first) % names.count]
    let field = HTTPField(name: name, lenientValue: line.dropFirst())
    if first & 128 == 0 { fields.response.append(field) } else { fields.request.append(field) }
  }
  // One case for each input: all of them would take ten times as long.
  let choice = Int(octets.last ?? 0)
  judge(
    CacheRules(isShared: choice & 4 == 0),
    [200, 206, 304, 404][choice & 3],
    fields.request,
    fields.response
  )
  return 0
}

private let names: [HTTPField.Name] = [
  .cacheControl, .vary, .date, .expires, .age, .eTag, .lastModified, .pragma, .range, .ifRange, .ifNoneMatch,
  .ifModifiedSince, .contentRange, .contentLength, .authorization, .setCookie, .connection, .contentLocation,
  HTTPField.Name("CDN-Cache-Control")!, HTTPField.Name("X-Own")!, .cookie, .acceptLanguage,
]

private func judge(_ rules: CacheRules, _ status: Int, _ asked: HTTPFields, _ answered: HTTPFields) {
  let now = Date(timeIntervalSince1970: 1_700_000_000)
  let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/", headerFields: asked)
  let response = HTTPResponse(status: .init(code: status), headerFields: answered)
  let decision = rules.storable(response, to: request, sentAt: now, receivedAt: now) { name, value in
    name == "cookie" ? "#\(value.utf8.count)" : nil
  }
  guard case .success(let stored) = decision else { return }
  precondition(
    !stored.head.headerFields.contains { $0.name == .connection },
    "a field of a connection was stored"
  )
  precondition(
    !rules.isShared || stored.head.headerFields[.setCookie] == nil,
    "a cookie was stored for others"
  )
  let lifetime = rules.lifetime(of: stored)
  let age = rules.age(of: stored, at: now + 100)
  precondition((0...CacheControl.maximumSeconds).contains(lifetime), "a lifetime of \(lifetime)")
  precondition((0...CacheControl.maximumSeconds).contains(age), "an age of \(age)")
  let entry = CacheEntry(id: 1, response: stored, length: 10)
  for mode in CacheMode.allCases {
    let verdict = rules.verdict(for: request, among: [entry], mode: mode, at: now + 100) { name, value in
      name == "cookie" ? "#\(value.utf8.count)" : nil
    }
    guard case .serve(_, let serving) = verdict else { continue }
    precondition(mode != .reload && mode != .noStore, "served in the mode \(mode)")
    if case .part(let range, _) = serving.content {
      let start = stored.part?.start ?? 0
      precondition(range.lowerBound >= start && range.upperBound <= start + 10, "beyond what is stored")
    }
    _ = rules.head(of: stored, serving)
  }
  let failure = rules.staleAnswer(
    among: [entry],
    for: request,
    after: .unreachable,
    mode: .default,
    at: now + 100
  ) { _, _ in nil }
  if case .serve(_, let serving) = failure { _ = rules.head(of: stored, serving) }
  if let combination = rules.combined(entry, with: stored, length: 10) {
    precondition(combination.pieces == [.stored(0..<10)], "a part is more than itself")
  }
  _ = rules.freshen([entry], by: response, request: request, sentAt: now, receivedAt: now) { _, _ in nil }
}
