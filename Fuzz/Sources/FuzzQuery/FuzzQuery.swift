import Stagecoach

/// The first octet chooses the options, the others are a query. Lossy reading fails for a limit alone and
/// agrees with strict reading; what is read is written in a style that has a text for it and reads the same
/// again; no type that is decoded brings the decoder down.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  var decoder = decoder(for: start[0])
  let query = Bytes(Array(UnsafeBufferPointer(start: start, count: count)[1...]))
  let strict = try? decoder.parameters(from: query)
  _ = try? decoder.decode(Shape.self, from: query)
  _ = try? decoder.decode([String: [String: [Int?]]].self, from: query)
  decoder.mode = .lossy
  _ = try? decoder.decode(Shape.self, from: query)
  do {
    let lossy = try decoder.parameters(from: query)
    precondition(strict == nil || strict == lossy, "strict and lossy differ: \(lossy)")
    check(lossy)
  } catch let error as ParameterError {
    guard case .tooDeep = error else { preconditionFailure("refused: \(error)") }
  } catch {
    preconditionFailure("an error of another type: \(error)")
  }
  return 0
}

/// One value of every kind that decoding tells apart.
private struct Shape: Decodable {
  var a: String?
  var b: [Int]
  var c: [String: Double]
  var d: [[Bool]]
  var e: Set<String>
  var next: [Shape]
}

private func decoder(for options: UInt8) -> QueryDecoder {
  var decoder = QueryDecoder()
  decoder.arrayStyle = [.brackets, .indexed, .repeated, .comma, .pipe, .space][Int(options & 7) % 6]
  decoder.objectStyle = options & 8 == 0 ? .bracket : .dot
  decoder.escaping = options & 16 == 0 ? .strict : .form
  decoder.nullStyle = [.keyAlone, .drop, .empty, .literal][Int(options >> 5 & 3)]
  if options & 128 != 0 { decoder.charset = options & 64 == 0 ? .isoLatin1 : .utf16 }
  return decoder
}

/// As plain pairs, parameters come back whatever their keys and texts hold.
private func check(_ parameters: Parameters) {
  var pairs = Parameters()
  for member in parameters.members {
    if case .string(let text) = member.value { pairs.append(.string(text), forKey: member.key) }
  }
  var encoder = QueryEncoder()
  encoder.keyOrder = .asGiven
  // A key with brackets is read as one with parts: without them nothing is lost.
  let plain = Parameters(pairs.members.filter { !$0.key.utf8.contains(UInt8(ascii: "[")) })
  for escaping in [QueryEncoder.Escaping.afnetworking, .strict, .form] {
    encoder.escaping = escaping
    guard let query = try? encoder.encode(plain) else { preconditionFailure("not written: \(plain)") }
    guard let again = try? QueryDecoder(reading: encoder).parameters(from: query) else {
      // Escapes take three octets for one, and the pair for its "=" and "&".
      precondition(query.utf8.count > QueryDecoder().sizeLimit, "not read: \(query)")
      continue
    }
    precondition(again == plain, "\(plain) became \(again)")
  }
}
