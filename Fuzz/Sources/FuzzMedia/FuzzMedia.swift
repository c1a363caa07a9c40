import HTTPTypes
import Stagecoach

/// The first line of the input, up to LF, is an Accept field and a media range, what follows a media type. Each
/// is refused or read, and what is read is written, in one line, as something that reads the same. The type is
/// found in the field as RFC 9110 12.5.1 says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  let end = octets.firstIndex(of: UInt8(ascii: "\n")) ?? count
  let line = String(decoding: octets[..<end], as: UTF8.self)
  let rest = String(decoding: octets[min(end + 1, count)...], as: UTF8.self)
  checkRange(line)
  checkField(line)
  let type = checkMediaType(rest)
  let accept = checkAccept(line)
  if let accept, let type { checkQuality(of: type, in: accept) }
  return 0
}

private func isOneLine(_ text: String) -> Bool {
  !text.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
}

private func checkMediaType(_ text: String) -> MediaType? {
  guard let type = MediaType(text) else { return nil }
  precondition(isOneLine(type.description), "a line break in \(type)")
  guard let again = MediaType(type.description) else { preconditionFailure("not read: \(type)") }
  precondition(again == type && again.hashValue == type.hashValue, "\(type) became \(again)")
  var reversed = type.essence
  for parameter in type.parameters.reversed() { reversed = reversed.with(parameter) }
  precondition(reversed == type && reversed.hashValue == type.hashValue, "\(reversed) is not \(type)")
  precondition(MediaRange(type).matches(type), "\(type) does not match itself")
  precondition(MediaRange.any.matches(type), "\(type) is not any type")
  precondition(type.essence.parameters.isEmpty, "\(type.essence) has parameters")
  return type
}

private func checkRange(_ text: String) {
  guard let range = MediaRange(text) else { return }
  guard let again = MediaRange(range.description) else { preconditionFailure("not read: \(range)") }
  precondition(again == range && again.hashValue == range.hashValue, "\(range) became \(again)")
}

private func checkAccept(_ text: String) -> Accept? {
  guard let accept = Accept(text) else { return nil }
  precondition(accept.ranges.count <= Accept.maximumCount, "\(accept.ranges.count) ranges")
  precondition(isOneLine(accept.description), "a line break in \(accept)")
  guard let again = Accept(accept.description) else { preconditionFailure("not read: \(accept)") }
  precondition(again == accept, "\(accept) became \(again)")
  let acceptance = Acceptance(mediaTypes: accept.ranges)
  precondition(Accept(acceptance.acceptField) != nil, "not read: \(acceptance.acceptField)")
  for weight in [0.3, 1] {
    let weighted = DataResponseSerializer(accepting: acceptance).weighted(weight).accepts.acceptField
    precondition(Accept(weighted) != nil, "not read: \(weighted)")
  }
  return accept
}

/// A field is the same whether its text is one value or, at a comma, several.
private func checkField(_ text: String) {
  var fields = HTTPFields()
  fields[.accept] = text
  guard let accept = fields.accept else { return }
  fields.accept = accept
  precondition(fields.accept == accept, "\(accept) became \(fields)")
}

private func checkQuality(of type: MediaType, in accept: Accept) {
  let quality = accept.quality(of: type)
  let matching = accept.ranges.filter { $0.matches(type) }
  guard let narrowest = matching.map(\.specificity).max() else {
    precondition(quality == (accept.ranges.isEmpty ? 1 : 0), "\(type) is not in \(accept)")
    return
  }
  let deciding = matching.first { $0.specificity == narrowest }
  precondition(accept.range(for: type) == deciding, "not \(deciding.debugDescription)")
  precondition(quality == deciding?.quality ?? 1, "\(quality) of \(type) in \(accept)")
  guard !accept.ranges.isEmpty else { return }
  precondition(Acceptance(mediaTypes: accept.ranges).accepts(type) == (quality > 0), "\(type), \(accept)")
}
