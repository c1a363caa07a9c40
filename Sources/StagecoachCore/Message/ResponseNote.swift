/// A key for what a stage notes of a response for the stages above it: a constant of the stage, compared by identity.
package final class ResponseNote<Value: Sendable>: Sendable {
  let initialValue: Value

  /// Creates a key with the value of responses without the note.
  package init(_ initialValue: Value) {
    self.initialValue = initialValue
  }
}
