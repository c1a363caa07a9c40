import Stagecoach
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
    var needs: TransportCapabilities = []
    for name in json["needs"]?.arrayValue ?? [] {
      guard let capability = name.stringValue.flatMap({ TransportCapabilities(named: $0) }) else {
        throw ScriptError("\(name) is no capability")
      }
      needs.insert(capability)
    }
    let parsed = try cases.map { try ScriptedCase($0) }
    return Check(
      id,
      title,
      level: level,
      needs: needs,
      runsInProcess: json["inProcess"]?.boolValue ?? false
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

extension JSONValue {
  /// Throws if an object has members that nobody reads: a misspelt expectation would hold always.
  func refuseOthers(than known: Set<String>) throws {
    guard let object = objectValue else { throw ScriptError("\(self) is no object") }
    for member in object.members where !known.contains(member.key) {
      throw ScriptError("\"\(member.key)\" is not known here")
    }
  }

  /// Pairs of a name and a value.
  func pairs() throws -> [(name: String, value: String)] {
    try (arrayValue ?? []).map { pair in
      guard let name = pair[0]?.stringValue, let value = pair[1]?.stringValue else {
        throw ScriptError("\(pair) is no pair of name and value")
      }
      return (name, try ScriptText.expanded(value))
    }
  }

  /// Several texts, or one.
  func texts() throws -> [String] {
    try (arrayValue ?? [self]).map { item in
      guard let text = item.stringValue else { throw ScriptError("\(item) is no text") }
      return try ScriptText.expanded(text)
    }
  }

  /// Several numbers, or one.
  func numbers() throws -> [Int] {
    try (arrayValue ?? [self]).map { item in
      guard let number = item.intValue else { throw ScriptError("\(item) is no whole number") }
      return number
    }
  }
}
