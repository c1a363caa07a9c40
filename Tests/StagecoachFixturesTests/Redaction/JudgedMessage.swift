import HTTPTypes
import Stagecoach

@testable import StagecoachFixtures

/// What is taken for a secret in a message: by the name and the place of a leaf, or by its shape.
struct JudgedMessage {
  /// The values with the names that they get.
  private(set) var secrets: [(name: String, value: String)] = []

  init(_ message: RedactableMessage, _ options: RedactionOptions = RedactionOptions()) {
    let judge = SecretJudge(options)
    let trees = MessageTree(message)
    let context = judge.context(of: message, trees)
    for part in trees.parts {
      part.tree.forEachLeaf { place in
        let field = message.fieldName(of: part.place)
        guard !judge.keeps(place, fieldName: field) else { return false }
        let name =
          judge.secretName(of: place, part: part, fieldName: field, in: context).map {
            Placeholder.name(from: $0)
          } ?? SecretShapes.whole(place.leaf.value)?.placeholderName
        guard let name else { return true }
        secrets.append((name, String(decoding: place.leaf.value, as: UTF8.self)))
        return false
      }
    }
  }

  var names: [String] { secrets.map(\.name) }
  var values: [String] { secrets.map(\.value) }
}

extension RedactableMessage {
  /// A response with JSON.
  static func json(_ text: String) -> RedactableMessage { content("application/json", text) }

  /// A response with content.
  static func content(_ type: String, _ text: String) -> RedactableMessage {
    RedactableMessage(response: [:], body: Bytes(Array(text.utf8)), mediaType: MediaType(type))
  }

  static func get(_ target: String) -> RedactableMessage { RedactableMessage(method: "GET", target: target) }

  /// A request with a form.
  static func form(_ target: String, _ text: String) -> RedactableMessage {
    RedactableMessage(
      method: "POST",
      target: target,
      body: Bytes(Array(text.utf8)),
      mediaType: MediaType("application/x-www-form-urlencoded")
    )
  }

  /// A request with JSON.
  static func json(_ target: String, _ text: String) -> RedactableMessage {
    RedactableMessage(
      method: "POST",
      target: target,
      body: Bytes(Array(text.utf8)),
      mediaType: MediaType("application/json")
    )
  }

  static func field(_ name: String, _ value: String) -> RedactableMessage {
    var fields: HTTPFields = [:]
    if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    return RedactableMessage(method: "GET", target: "/", fields: fields)
  }
}
