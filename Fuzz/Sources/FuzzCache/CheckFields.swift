import HTTPTypes

@testable import StagecoachCache
@testable import StagecoachCore
@testable import StagecoachFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Any octets as the value of a field that the cache reads.
func checkFields(_ octets: [UInt8]) {
  checkCacheControl(octets)
  checkVary(octets)
  checkDate(octets)
  checkTags(octets)
  checkRanges(octets)
}

private func fields(_ name: HTTPField.Name, _ lines: [UInt8]...) -> HTTPFields {
  var fields = HTTPFields()
  for line in lines { fields.append(HTTPField(name: name, lenientValue: line)) }
  return fields
}

/// No text makes another directive disappear, and none is more permissive with one more restriction.
private func checkCacheControl(_ octets: [UInt8]) {
  let plain = fields(.cacheControl, octets)
  let read = CacheControl(response: plain)
  let demands = CacheControl(request: plain)
  for seconds in [
    read.maxAge, read.sMaxAge, read.staleWhileRevalidate, read.staleIfError, demands.maxAge,
  ] {
    precondition((0...CacheControl.maximumSeconds).contains(seconds ?? 0), "\(seconds ?? 0) seconds")
  }
  precondition(read.privateFields.allSatisfy { $0 == $0.lowercased() }, "names in capitals")
  let padded = CacheControl(response: fields(.cacheControl, Array(", \t,".utf8) + octets))
  precondition(padded == read, "empty elements count")
  for restriction in ["no-store, max-age=0", "NO-STORE,max-age=0"] {
    let restriction = Array(restriction.utf8)
    for lines in [fields(.cacheControl, octets, restriction), fields(.cacheControl, restriction, octets)] {
      let both = CacheControl(response: lines)
      precondition(both.isNoStore && both.maxAge == 0, "a directive of another line is lost")
      precondition(
        read.isNoCache == both.isNoCache && read.isPrivate == both.isPrivate,
        "lines depend on another"
      )
    }
  }
  for isShared in [false, true] {
    // The targeted field, whatever it is, never opens what Cache-Control of the same text would not.
    var targeted = fields(.cdnCacheControl, octets)
    targeted[.cacheControl] = "no-store"
    let policy = CacheRules(isShared: isShared).policy(of: targeted)
    precondition(policy.control.isNoStore || policy.isTargeted && isShared, "Cache-Control is ignored")
  }
}

private func checkVary(_ octets: [UInt8]) {
  guard let vary = VaryField(fields(.vary, octets)) else { return }
  precondition(vary.names.count <= VaryField.maximumCount, "\(vary.names.count) names")
  precondition(zip(vary.names, vary.names.dropFirst()).allSatisfy { $0 < $1 }, "not sorted")
  for name in vary.names {
    precondition(name != "*" && HTTPField.Name(name)?.canonicalName == name, "\(name) is no name")
  }
  let written = Array(vary.names.joined(separator: ", ").utf8)
  precondition(VaryField(fields(.vary, written)) == vary, "written in another way")
  precondition(VaryField(fields(.vary, octets, written)) == vary, "two lines are more than one")
  precondition(VaryField(fields(.vary, octets, Array("*".utf8))) == nil, "a star is lost")
  let request = HTTPRequest(
    method: .get,
    scheme: "http",
    authority: "h",
    path: "/",
    headerFields: fields(.cookie, octets)
  )
  let rules = CacheRules(isShared: false)
  if let nominated = rules.nominated(by: fields(.vary, octets), request, conceal: { _, _ in nil }) {
    let head = CachedResponse(
      head: HTTPResponse(status: .ok),
      vary: nominated,
      requestTime: now,
      responseTime: now
    )
    let entry = CacheEntry(id: 1, response: head, length: 0)
    let matching = rules.matching([entry], request, conceal: { _, _ in nil })
    precondition(matching.count == 1, "a response is not for the request that brought it")
  }
}

private let now = Date(timeIntervalSince1970: 1_700_000_000)

/// The quick reader agrees with the one that reads all formats.
private func checkDate(_ octets: [UInt8]) {
  let field = HTTPField(name: .date, lenientValue: octets)
  let read = field.date(now: now)
  precondition(read == HTTPDate(field.value, now: now)?.secondsSince1970, "two dates in one")
  precondition(field.expiry(now: now).map { $0 == read } ?? true, "Expires is another date")
  guard let date = read.flatMap({ HTTPDate(secondsSince1970: $0) }) else {
    precondition(read == nil, "a date of no year")
    return
  }
  let written = HTTPField(name: .expires, value: date.description)
  precondition(written.date(now: now) == read && written.expiry(now: now) == read, "written in another way")
}

private func checkTags(_ octets: [UInt8]) {
  let request = fields(.ifNoneMatch, octets)
  func read(_ octets: [UInt8]) -> EntityTag? { octets.withUnsafeBufferPointer { EntityTag($0[...]) } }
  guard let tag = read(octets) else { return }
  precondition(tag.isWeaklyEqual(to: tag) && tag.isStronglyEqual(to: tag) != tag.isWeak, "unlike itself")
  precondition(EntityTagList(request).matches(tag), "a list lacks its tag")
  if let text = tag.text { precondition(read(Array(text.utf8)) == tag, "written in another way") }
}

private func checkRanges(_ octets: [UInt8]) {
  if let range = ByteRange(fields(.range, octets)) {
    for total in [0, 1, 10, Int64.max] {
      guard case .range(let bytes) = range.resolved(total: total) else { continue }
      precondition(!bytes.isEmpty && bytes.lowerBound >= 0 && bytes.upperBound <= total, "out of bounds")
    }
  }
  if let range = fields(.contentRange, octets).contentRange {
    precondition(!range.bytes.isEmpty && range.bytes.upperBound <= range.total, "out of bounds")
  }
}
