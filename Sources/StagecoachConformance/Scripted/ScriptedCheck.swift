import StagecoachCore
import WireScripts

/// A check from a wire script: what the server does, what is sent, and what both sides have to see.
struct ScriptedCheck {
  /// The checks of all scripts.
  static func all() throws -> [Check] {
    try WireScripts.all().map { file in
      do {
        return try check(JSONValue(parsing: file.text))
      } catch {
        throw ScriptError("\(file.name): \(error)")
      }
    }
  }

  static func check(_ json: JSONValue) throws -> Check {
    try json.refuseOthers(than: ["id", "title", "level", "needs", "inProcess", "cases"])
    guard let id = json["id"]?.stringValue, let title = json["title"]?.stringValue,
      let cases = json["cases"]?.arrayValue, !cases.isEmpty
    else { throw ScriptError("id, title or cases are missing") }
    guard let level = Check.Level(rawValue: json["level"]?.stringValue ?? "mandatory") else {
      throw ScriptError("no such level")
    }
    let parsed = try cases.map { try ScriptedCase($0) }
    return Check(
      id,
      title,
      level: level,
      needs: try json["needs"]?.capabilities() ?? [],
      runsInProcess: try json.flag("inProcess") ?? false
    ) { trial in
      for scripted in parsed {
        do {
          try await scripted.run(trial)
        } catch let failure as CheckFailure where !scripted.name.isEmpty {
          throw CheckFailure("\(scripted.name): \(failure)")
        }
      }
    }
  }
}
