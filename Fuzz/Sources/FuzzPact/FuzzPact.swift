import HTTPTypes

@testable import StagecoachCore
@testable import StagecoachFixtures

/// Any octets are refused or give a Pact file. What is written of it is read as the same interactions, and written again
/// as the same octets; and it gives a scenario and interactions to verify.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: start, count: count))
  guard let file = try? PactFile(contents: octets, path: "pact.json") else { return 0 }
  for version in ConsumerContract.Version.allCases {
    // Version 3 cannot hold all interactions.
    guard let written = try? file.serialized(as: version) else { continue }
    do {
      let again = try PactFile(contents: written.bytes, path: "written.json")
      precondition(again.entries.count == file.entries.count, "interactions were lost")
      let rewritten = try again.serialized(as: version).bytes
      precondition(rewritten == written.bytes, "written in another way")
      if version == .v4 { check(file, again) }
    } catch {
      preconditionFailure("\(error)")
    }
  }
  precondition(file.interactions.count == file.entries.count, "interactions were lost")
  var merged = file
  // A file may hold what it should not: other content under one description.
  if (try? merged.merge(file)) != nil {
    precondition(merged.entries.count == file.entries.count, "interactions were added")
  }
  if let scenario = try? file.scenario(generators: nil).scenario {
    do {
      _ = try PactFile.contract(of: scenario, consumer: "c", provider: "p").file.serialized(as: .v4)
    } catch {
      preconditionFailure("\(error)")
    }
  }
  return 0
}

/// Checks that version 4 holds everything.
private func check(_ file: PactFile, _ again: PactFile) {
  let key: (PactInteraction) -> String = { interaction in
    var interaction = interaction
    (interaction.key, interaction.line, interaction.obstacle) = (nil, nil, nil)
    return PactFileWriter.hash(of: interaction)
  }
  precondition(again.requests.map(key).sorted() == file.requests.map(key).sorted(), "interactions changed")
}
