import Stagecoach
import TestSupport

/// A member of a compound serializer that says who read the body, and fails on demand.
struct NamedMember: ResponseSerializer {
  let name: String
  let types: [MediaRange]
  let signatures: [ContentSignature]
  var statuses = [200..<300]
  var fails = false

  init(_ name: String, _ types: [String], signatures: [ContentSignature] = [], fails: Bool = false) {
    self.name = name
    self.types = ranges(types)
    self.signatures = signatures
    self.fails = fails
  }

  var accepts: Acceptance { Acceptance(mediaTypes: types, statuses: statuses, signatures: signatures) }

  func serialize(_ response: Response) async throws -> String {
    let text = String(decoding: try await response.collectBody())
    if fails { throw Foreign(text: "\(name) cannot") }
    return "\(name):\(text)"
  }
}
