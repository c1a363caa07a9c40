import Stagecoach

/// Any octets, as a URI and as a reference against several bases, are refused or give a URI that prints,
/// parses to an equal one, and resolves to itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  for rule in [TargetURI.UserInformationRule.refuse, .strip] {
    if let uri = try? TargetURI(parsing: octets, userInformation: rule) { check(uri) }
    for base in bases {
      if let uri = try? base.resolving(octets, userInformation: rule) { check(uri) }
    }
  }
  return 0
}

private let bases = [
  "http://base.example", "https://base.example:8443/a/b/c?q#f", "http://[::1]/a//b/",
].map { text in
  guard let base = try? TargetURI(parsing: text) else { preconditionFailure("no base: \(text)") }
  return base
}

private func check(_ uri: TargetURI) {
  let printed = uri.description
  precondition(printed.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "unsafe octets in \(printed)")
  precondition(uri.path.utf8.first == UInt8(ascii: "/"), "no path in \(printed)")
  let segments = uri.path.split(separator: "/", omittingEmptySubsequences: false)
  precondition(!segments.contains(".") && !segments.contains(".."), "dot segments in \(printed)")
  guard printed.utf8.count <= TargetURI.maximumLength else { return }
  guard let again = try? TargetURI(parsing: printed) else { preconditionFailure("not parsed: \(printed)") }
  precondition(again == uri && again.description == printed, "\(printed) became \(again)")
  precondition((try? uri.resolving(printed)) == uri, "\(printed) does not resolve to itself")
  let base = uri.asBase
  precondition(base.path.utf8.last == UInt8(ascii: "/"), "no base: \(base)")
  precondition(base.asBase == base && base.isSameOrigin(as: uri), "\(base) is not the base of \(uri)")
}
