/// Numbers as text.
enum NumberText {
  /// The fewest digits that give the number back, without a fraction if it is whole.
  static func text(of value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The number that a text is, if it is a finite one.
  static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ text: String) -> Number? {
    Number(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
