import HTTPTypes
import StagecoachFormats

/// The texts of a message as trees.
struct MessageTree: Sendable {
  /// A text of the message.
  struct Part: Sendable {
    let place: RedactableMessage.Place
    /// The part that the list of redacted leaves names: `target`, `header`, `trailer` or `body`.
    let name: String
    let tree: TextTree
  }

  let parts: [Part]

  /// Reads the texts of a message.
  init(_ message: RedactableMessage) {
    var (fields, trailers) = (NameCounts(), NameCounts())
    parts = message.texts().map { place, text in
      switch place {
      case .target: return Part(place: place, name: "target", tree: TextTree(target: text))
      case .field(let index):
        let field = message.fields[index]
        let tree = TextTree(field: field, number: fields.next(field.name.canonicalName))
        return Part(place: place, name: "header", tree: tree)
      case .trailer(let index):
        let field = message.trailers[index]
        let tree = TextTree(field: field, number: trailers.next(field.name.canonicalName))
        return Part(place: place, name: "trailer", tree: tree)
      case .body: return Part(place: place, name: "body", tree: TextTree(content: text, message.mediaType))
      }
    }
  }
}
