import Stagecoach

/// Any octets are refused or give a value that is written as JSON which reads as the same value, and that
/// removing nulls and comparing do not upset.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = UnsafeBufferPointer(start: start, count: count)
  guard let value = try? JSONValue(parsing: octets) else { return 0 }
  let written = value.serialized()
  guard let again = try? JSONValue(parsing: written) else { preconditionFailure("not read: \(value)") }
  precondition(again == value, "\(value) became \(again)")
  precondition(again.serialized() == written, "\(value) is written in two ways")
  let pruned = value.removingNulls()
  precondition(pruned.removingNulls() == pruned, "nulls are left in \(pruned)")
  return 0
}
