import Stagecoach
import StagecoachFixtures

/// Any octets are refused or give a scenario that is the same after an export and an import.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Bytes(Array(UnsafeBufferPointer(start: start, count: count)))
  guard let scenario = try? Scenario(har: octets) else { return 0 }
  do {
    // What is found in the first reading is a placeholder in all others.
    let export = try scenario.har()
    let again = try Scenario(har: export.bytes)
    let third = try Scenario(har: again.har().bytes)
    precondition(again == third, "the scenario changed")
    precondition(again.exchanges.map(\.id) == scenario.exchanges.map(\.id), "identifiers changed")
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}
