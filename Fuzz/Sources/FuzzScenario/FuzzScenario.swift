import Foundation
import Stagecoach
import StagecoachFixtures

/// Any octets are refused or give a scenario that is written as one that is equal to it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  let body = Bytes(#"{"a": [1, "ä"]}"#)
  guard var scenario = try? Scenario(manifest: octets, readFile: { _ in body }) else { return 0 }
  // Where a body lies is the writer's business.
  for index in scenario.exchanges.indices {
    scenario.exchanges[index].request.body?.file = nil
    scenario.exchanges[index].reply.body?.file = nil
  }
  let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-scenario").path
  // What cannot be written is told: a time, or a name that no file may have.
  guard (try? scenario.write(folder: folder)) != nil else { return 0 }
  do {
    var again = try Scenario(folder: folder)
    for index in again.exchanges.indices {
      again.exchanges[index].request.body?.file = nil
      again.exchanges[index].reply.body?.file = nil
    }
    precondition(again.exchanges.map(\.request) == scenario.exchanges.map(\.request), "requests changed")
    precondition(again.exchanges.map(\.id) == scenario.exchanges.map(\.id), "identifiers changed")
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}
