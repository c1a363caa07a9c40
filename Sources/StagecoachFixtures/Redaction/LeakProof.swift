package import StagecoachFormats

/// Searches files for the secrets of a recording.
///
/// Secrets of at least 6 bytes are searched in every ``SecretEncoding``, in the text and in its decoded forms. Shorter
/// ones, and ordinary words, occur in every text by chance; they are only searched where they were found: behind the
/// name of their parameter, member, element, cookie or scheme, with at most 8 punctuation characters in between.
///
/// The time is linear in the size of the files, whatever the number of secrets, except for short ones, which take a
/// search each.
package struct LeakProof: Sendable {
  private let finder: SecretFinder
  private let placeholderCount: Int
  /// The placeholders of the secrets.
  private let placeholders: [Placeholder]

  /// - Parameter finder: The finder of the store.
  init(_ store: SecretStore, _ finder: SecretFinder) {
    self.finder = finder
    placeholderCount = store.placeholders.count
    placeholders = store.secrets.map(\.placeholder)
  }

  /// Returns the leaks in a set of files, in order.
  package func leaks(in files: [(name: String, bytes: Bytes)]) -> [SecretLeak] {
    files.flatMap { file in
      finder.matches(in: [UInt8](file.bytes)).compactMap { match -> SecretLeak? in
        // A placeholder may contain the text of a secret, such as "secret".
        guard match.secret >= placeholderCount else { return nil }
        let placeholder = placeholders[match.secret - placeholderCount]
        return SecretLeak(
          file: file.name,
          offset: match.range.lowerBound,
          placeholder: placeholder.text,
          encoding: match.encoding
        )
      }
    }
  }

  /// Verifies that a set of files contains no secret.
  ///
  /// - Throws: ``RedactionError/leaked(_:)``.
  package func verify(_ files: [(name: String, bytes: Bytes)]) throws(RedactionError) {
    let leaks = leaks(in: files)
    guard leaks.isEmpty else { throw .leaked(leaks) }
  }
}

extension LeakProof: CustomStringConvertible, CustomReflectable {
  /// The number of secrets, without the values.
  package var description: String { "a search for \(placeholders.count) secrets" }

  /// The number of secrets, without the values.
  package var customMirror: Mirror { Mirror(self, children: ["secretCount": placeholders.count]) }
}

/// A secret in a file of a recording, named by its placeholder.
public struct SecretLeak: Sendable, Hashable, CustomStringConvertible {
  /// The name of the file.
  public let file: String
  /// The offset of the secret in bytes.
  public let offset: Int
  /// The placeholder that should replace the secret.
  public let placeholder: String
  /// How the secret is encoded.
  public let encoding: SecretEncoding

  /// The place and the placeholder.
  public var description: String {
    "\(file): \(placeholder) at byte \(offset)\(encoding == .raw ? "" : " (\(encoding.rawValue))")"
  }
}
