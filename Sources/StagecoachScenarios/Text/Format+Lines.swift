package import StagecoachFormats

extension Format {
  /// The lines of a text, each as `oneLine` makes it.
  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { oneLine(String($0)) }.joined(
      separator: "\n"
    )
  }
}
