/// An error of nobody's taxonomy.
package struct Foreign: Error, Equatable, CustomStringConvertible {
  package var text: String

  package init(text: String = "foreign") {
    self.text = text
  }

  package var description: String { text }
}
