import Stagecoach

/// Any text is refused or gives a field that is written as one which reads as the same, in one line, and whose
/// file name is harmless. So is any text written as a file name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  if let value = ContentDisposition(text) { check(value) }
  let attachment = ContentDisposition.attachment(fileName: text)
  precondition(attachment.rawFileName == text, "\(text.debugDescription) was lost")
  check(attachment)
  if let part = ContentDisposition.formData(name: text, fileName: text, extendsFileName: true) {
    precondition(!part.description.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a line break")
    precondition(ContentDisposition(part.description)?.type == "form-data", "not read: \(part)")
  }
  return 0
}

private func check(_ value: ContentDisposition) {
  let written = value.description
  precondition(!written.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a line break in \(written)")
  guard let again = ContentDisposition(written) else { preconditionFailure("not read: \(written)") }
  precondition(again == value, "\(written) became \(again)")
  guard let name = value.fileName else { return }
  precondition(!name.isEmpty && name.utf8.count <= 255 && name != "." && name != "..", "unsafe: \(name)")
  let isUnsafe = { (octet: UInt8) in octet < 0x20 || octet == 0x7F || "/\\:*?\"<>|".utf8.contains(octet) }
  precondition(!name.utf8.contains(where: isUnsafe), "unsafe: \(name.debugDescription)")
  precondition(
    ContentDisposition.safeFileName(from: name) == name,
    "\(name.debugDescription) is made safe twice"
  )
}
