import Foundation
import Stagecoach

/// The first octet chooses the options, the others are a query. Lossy reading never fails and agrees with strict
/// reading; the pairs that are read are the same again when they are written in a style that has a text for them; no
/// type that is decoded brings the decoder down.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  var decoder = decoder(for: start[0])
  let query = Bytes(Array(UnsafeBufferPointer(start: start, count: count)[1...]))
  let strict = try? decoder.queryItems(from: query)
  _ = try? decoder.decode(Shape.self, from: query)
  decoder.mode = .lossy
  _ = try? decoder.decode(Shape.self, from: query)
  do {
    let lossy = try decoder.queryItems(from: query)
    precondition(strict == nil || strict == lossy, "strict and lossy differ: \(lossy)")
    let values = try decoder.decode([String: [String?]].self, from: query)
    precondition(values.isEmpty == lossy.isEmpty, "\(lossy) became \(values)")
    check(lossy)
  } catch {
    preconditionFailure("refused: \(error)")
  }
  return 0
}

/// One value of every kind that decoding tells apart.
private struct Shape: Decodable {
  var a: String?
  var b: [Int]
  var c: Double?
  var d: Bool?
  var e: Set<String>
  var f: [Date?]
  var nested: [[Int]]?
}

private func decoder(for options: UInt8) -> QueryDecoder {
  var decoder = QueryDecoder()
  decoder.arrayStyle = [.brackets, .indexed, .repeated, .comma, .pipe, .space][Int(options & 7) % 6]
  decoder.escaping = options & 16 == 0 ? .strict : .form
  decoder.nullStyle = [.keyAlone, .drop, .empty, .literal][Int(options >> 5 & 3)]
  if options & 128 != 0 { decoder.charset = options & 64 == 0 ? .isoLatin1 : .windows1252 }
  return decoder
}

/// Pairs come back whatever their keys and texts hold.
private func check(_ items: [URLQueryItem]) {
  var encoder = QueryEncoder()
  encoder.keyOrder = .asGiven
  let parameters = Parameters(
    items.map { Parameters.Member(key: $0.name, value: $0.value.map(ParameterValue.string) ?? .null) }
  )
  for escaping in [QueryEncoder.Escaping.afnetworking, .strict, .form] {
    encoder.escaping = escaping
    guard let query = try? encoder.encode(parameters) else { preconditionFailure("not written: \(items)") }
    guard let again = try? QueryDecoder(reading: encoder).queryItems(from: query) else {
      // Escapes take three octets for one, and the pair for its "=" and "&".
      precondition(query.utf8.count > QueryDecoder().sizeLimit, "not read: \(query)")
      continue
    }
    // A pair without a key and a value has no text.
    let expected = items.filter { !$0.name.isEmpty || $0.value != nil }
    precondition(again == expected, "\(items) became \(again)")
  }
}
