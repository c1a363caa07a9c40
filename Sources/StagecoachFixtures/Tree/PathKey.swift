extension String {
  /// Appends a key to a path: with a dot if it consists of letters, digits, `_` and `-`, otherwise in brackets.
  mutating func appendKey(_ key: String) {
    let isPlain =
      !key.isEmpty
      && key.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
    if isPlain && !("0"..."9").contains(key.unicodeScalars.first ?? "0") {
      self += ".\(key)"
    } else {
      self += "['" + key.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "']"
    }
  }
}
