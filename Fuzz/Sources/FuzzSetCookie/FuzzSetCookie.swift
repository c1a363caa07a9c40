import Foundation
import HTTPTypes
import Stagecoach

/// Each line is a Set-Cookie field of a host that the first octet picks, and all of them are a file of cookies in
/// both formats. Whatever is stored is for no public suffix and reaches no host outside of its domain, and it is the
/// same when it has been written to a file and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  let uris = origins.compactMap { try? TargetURI(parsing: $0) }
  precondition(uris.count == origins.count, "an origin is unreadable")
  let source = uris[Int(octets.first ?? 0) % uris.count]
  let jar = CookieJar()
  for line in octets.dropFirst().split(separator: UInt8(ascii: "\n")) {
    let field = String(decoding: line, as: UTF8.self)
    if let cookie = try? jar.store(field, from: source, at: now) {
      precondition(source.isSecure || !cookie.isSecure, "\(cookie) came over an insecure connection")
      precondition(isHost(source.host, of: cookie), "\(source.host) set \(cookie)")
    }
  }
  check(jar, uris)
  let imported = CookieJar()
  _ = try? imported.add(Bytes(octets), as: .netscape, at: now)
  _ = try? imported.add(Bytes(octets), as: .json, at: now)
  check(imported, uris)
  return 0
}

private let now = Date(timeIntervalSince1970: 1_780_000_000)

private let origins = [
  "https://a.b.example/x/y", "http://a.b.example/x/y", "https://b.c.kobe.jp/", "https://example/",
  "https://10.0.0.1/",
  "https://a.github.io/x/", "https://[::1]/", "https://www.example.co.uk./",
]

private func isHost(_ host: String, of cookie: Cookie) -> Bool {
  host == cookie.domain || !cookie.isHostOnly && host.hasSuffix(".\(cookie.domain)")
}

private func check(_ jar: CookieJar, _ uris: [TargetURI]) {
  let cookies = jar.cookies(at: now)
  precondition(cookies.count == jar.count, "\(jar.count) cookies, \(cookies.count) alive")
  for cookie in cookies {
    precondition(cookie.isHostOnly || !PublicSuffixList.bundled.isPublicSuffix(cookie.domain), "\(cookie)")
    precondition(cookie.path.utf8.first == UInt8(ascii: "/"), "\(cookie)")
    precondition(cookie.name.utf8.count + cookie.revealedValue.utf8.count <= 2 * 4096, "a long cookie")
    if let expires = cookie.expires {
      precondition(expires > now && expires <= now + 400 * 86_400, "\(cookie) at \(now)")
    }
    let name = cookie.name.lowercased()
    precondition(
      !name.hasPrefix("__host-") || cookie.isSecure && cookie.isHostOnly && cookie.path == "/",
      "\(cookie)"
    )
    precondition(!name.hasPrefix("__secure-") || cookie.isSecure, "\(cookie)")
  }
  for uri in uris {
    for cookie in jar.cookies(for: uri, at: now) {
      precondition(isHost(uri.host, of: cookie), "\(cookie) went to \(uri)")
      precondition(uri.isSecure || !cookie.isSecure, "\(cookie) went to \(uri)")
    }
  }
  let json = CookieJar()
  let result = try? json.add(jar.exported(includingSession: true, at: now).bytes, at: now)
  precondition(result?.skipped.isEmpty == true, "\(cookies) became \(result as Any)")
  precondition(json.cookies(at: now) == cookies, "\(cookies) became \(json.cookies(at: now))")
  let export = jar.exported(as: .netscape, includingSession: true, at: now)
  let lossy = CookieJar()
  let lines = try? lossy.add(export.bytes, as: .netscape, at: now)
  precondition(lines?.skipped.isEmpty == true, "\(cookies) became \(lines as Any)")
  precondition(
    lossy.count + export.omitted.count == cookies.count,
    "\(cookies) became \(lossy.cookies(at: now))"
  )
  precondition(
    lossy.exported(as: .netscape, includingSession: true, at: now).bytes == export.bytes,
    "\(cookies) became \(lossy.cookies(at: now))"
  )
}
