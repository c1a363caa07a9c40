import Stagecoach

/// Any octets are a certificate, in DER or in a text of PEM, that has a pin and a subject and comes back the same from
/// its PEM form, or are refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  if let certificate = try? Certificate(der: Array(octets)) { check(certificate) }
  let text = String(decoding: octets, as: UTF8.self)
  for certificate in (try? Certificate.fromPEM(text)) ?? [] { check(certificate) }
  if let pin = try? Pin(text) { precondition((try? Pin(pin.description)) == pin, "\(text) became \(pin)") }
  if let identity = try? ClientIdentity(chainPEM: text, privateKeyPEM: text) { identity.chain.forEach(check) }
  if let proxy = try? Proxy(text) {
    precondition(!proxy.host.isEmpty && (0...65_535).contains(proxy.port), "\(text) became \(proxy)")
  }
  let environment = ProxyEnvironment(["http_proxy": "http://p:1", "https_proxy": text, "no_proxy": text])
  for scheme in ["http", "https"] { _ = try? environment.proxy(scheme: scheme, host: text, port: 80) }
  return 0
}

private func check(_ certificate: Certificate) {
  precondition(Pin(certificate).matches(certificate) && certificate.publicKeyPin.matches(certificate))
  _ = certificate.subject
  guard let again = try? Certificate.fromPEM(certificate.pem) else {
    preconditionFailure("its PEM form is not read")
  }
  precondition(again == [certificate], "another certificate came back")
}
