import HTTPTypes
import Stagecoach

/// The first line of the input, up to LF, is text of a field: a name, a value, a media type with a charset. What
/// follows is content to be decoded in the charset that the first line declares.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  let all = String(decoding: octets, as: UTF8.self)
  checkField(name: all, value: "a")
  checkField(name: "X-Fuzz", value: all)
  let end = octets.firstIndex(of: UInt8(ascii: "\n")) ?? count
  let line = String(decoding: octets[..<end], as: UTF8.self)
  let content = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(octets)[min(end + 1, count)...])
  checkText(content, MediaType(line))
  return 0
}

/// Nothing that gets into a head may end a field line early.
private func checkField(name: String, value: String) {
  var request = Request.get("http://fuzz.example/")
  guard (try? request.addField(name, value)) != nil else { return }
  precondition(request.fields.count == 1, "\(request.fields.count) fields of one")
  for field in request.fields {
    let unsafe = { (byte: UInt8) in byte == 0x0D || byte == 0x0A || byte == 0 }
    precondition(!field.name.rawName.utf8.contains(where: unsafe), "a line break in a name")
    precondition(!field.name.rawName.isEmpty, "a field without a name")
    precondition(!field.value.utf8.contains(where: unsafe), "a line break in a value")
  }
}

/// Lossy decoding reads everything; strict decoding agrees with it where it succeeds.
private func checkText(_ content: UnsafeRawBufferPointer, _ type: MediaType?) {
  guard let lossy = try? Charset.decodeText(content, contentType: type, mode: .lossy) else {
    preconditionFailure("not decoded as \(type?.description ?? "text")")
  }
  precondition(lossy.charset.isSupported, "decoded in \(lossy.charset.name), which has no decoder")
  guard let strict = try? Charset.decodeText(content, contentType: type) else { return }
  precondition(strict == lossy, "strict and lossy differ in \(lossy.charset.name)")
}
