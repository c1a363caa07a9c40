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
    parts = message.texts().map { place, text in
      switch place {
      case .target: Part(place: place, name: "target", tree: TextTree(target: text))
      case .field(let index):
        Part(place: place, name: "header", tree: TextTree(fields: message.fields, at: index))
      case .trailer(let index):
        Part(place: place, name: "trailer", tree: TextTree(fields: message.trailers, at: index))
      case .body: Part(place: place, name: "body", tree: TextTree(content: text, message.mediaType))
      }
    }
  }
}
