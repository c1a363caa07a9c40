/// A condition on the text of a value that needs no parameters, such as a version. A new one is a file with a constant in
/// an extension of this type, and a line in ``all``.
package struct TextCondition: Sendable, Hashable {
  /// The name in scenarios and Pact files.
  package let name: String
  /// What a value has to be, with its article: `a semantic version`.
  let noun: String
  /// The condition as the help of `contract lint` shows it.
  package let text: String
  /// Returns the mismatch in the wording of Pact; `nil` if a text meets the condition.
  let problem: @Sendable (_ text: String) -> String?

  /// All conditions, in the order of the help.
  static let all: [TextCondition] = [.semanticVersion]

  /// Whether both have the same name.
  package static func == (left: TextCondition, right: TextCondition) -> Bool { left.name == right.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
