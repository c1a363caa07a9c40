/// The text form of numbers.
package enum NumberText {
  /// Returns the shortest text that represents the number exactly, without a fraction if it is integral.
  package static func text(of value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The number that a text is, if it is a finite one.
  static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ text: String) -> Number? {
    Number(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
