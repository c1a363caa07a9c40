import HTTPTypes
import Stagecoach

private let bases = ["http://base.example/a/b?c#d", "https://base.example:8443/"].map { text in
  guard let base = try? TargetURI(parsing: text) else { preconditionFailure("no base: \(text)") }
  return base
}

/// Any octets are a Location that is refused, or leads to a target that can be sent, that reads the same again, and
/// whose host is the one that a browser would find.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  let field = HTTPField(name: .location, lenientValue: octets)
  var one = HTTPFields()
  one.append(field)
  var two = one
  two.append(field)
  // What a field can hold: the octets with some of them replaced, and without the blanks around them.
  let value = field.withUnsafeBytesOfValue { Array($0) }
  for base in bases {
    guard let target = try? base.location(in: one) else { continue }
    check(target, of: value, from: base)
    precondition((try? base.location(in: two)) == target, "two equal fields are not one")
    if let strict = try? base.location(in: one, userInformation: .refuse) {
      precondition(strict == target, "\(strict) without user information, \(target) with it")
    }
  }
  return 0
}

private func check(_ target: TargetURI, of octets: [UInt8], from base: TargetURI) {
  let text = target.description
  precondition(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "an octet that cannot be sent: \(text)")
  precondition(text.utf8.count <= TargetURI.maximumLength, "\(text.utf8.count) octets")
  precondition(target.requestTarget.utf8.first == UInt8(ascii: "/"), "no path: \(text)")
  precondition(!target.authority.utf8.contains { "@/\\?#".utf8.contains($0) }, "more than a host: \(text)")
  var fields = HTTPFields()
  fields.append(HTTPField(name: .location, value: text))
  // What was read may have grown beyond what a field may hold.
  if text.utf8.count <= 8192 {
    precondition((try? base.location(in: fields)) == target, "\(text) is not read as the same")
  }
  precondition((try? TargetURI(parsing: text)) == target, "\(text) is not the same alone")
  let found = browserHost(octets) ?? base.host
  precondition(found.lowercased() == target.host.lowercased(), "a browser goes to \(found), we to \(text)")
}

/// The host as the URL standard finds it in a reference, unless it is that of the base: before the standard decodes
/// or maps anything in it, since what would be is refused.
private func browserHost(_ octets: [UInt8]) -> String? {
  var rest = octets[...]
  while let first = rest.first, first <= 0x20 { rest.removeFirst() }
  while let last = rest.last, last <= 0x20 { rest.removeLast() }
  // Tabs and line breaks go, and a backslash is a slash.
  let url = rest.filter { ![0x09, 0x0A, 0x0D].contains($0) }.map {
    $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0
  }
  let slash = UInt8(ascii: "/")
  var position = 0
  let scheme = String(decoding: url.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
  let hasScheme = (scheme == "http" || scheme == "https") && url.count > scheme.utf8.count
  if hasScheme {
    position = scheme.utf8.count + 1
  } else {
    guard url.starts(with: [slash, slash]) else { return nil }
  }
  while position < url.count, url[position] == slash { position += 1 }
  let authority = url[position...].prefix { ![slash, UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
  var host = authority
  if let at = authority.lastIndex(of: UInt8(ascii: "@")) { host = authority[(at + 1)...] }
  if host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")) {
    host = host[...end]
  } else {
    host = host.prefix { $0 != UInt8(ascii: ":") }
  }
  return String(decoding: host, as: UTF8.self)
}
