/// A class of characters with a name.
enum PatternCategory: Sendable, Hashable {
  case digit, word, space, horizontalSpace, lineBreak, verticalSpace
  case any, ascii, alphabetic, alphanumeric, lowercase, uppercase, punctuation, control, graphic, printable
  case hexadecimalDigit
  /// The general category begins with these letters, such as `L` or `Lu`.
  case general(String)

  /// A class by its name in `\p{NAME}` or `[:NAME:]`; `nil` if it is not known.
  init?(_ name: String) {
    var name = name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
    for prefix in ["gc=", "generalcategory=", "is"] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
      break
    }
    if let category = Self.named[name] {
      self = category
    } else if let category = Self.generalNames.first(where: {
      $0.key.lowercased() == name || $0.value == name
    }) {
      self = .general(category.key)
    } else {
      return nil
    }
  }

  private static let named: [String: PatternCategory] = [
    "any": .any, "all": .any, "ascii": .ascii, "alpha": .alphabetic, "alphabetic": .alphabetic,
    "alnum": .alphanumeric, "digit": .digit, "lower": .lowercase, "lowercase": .lowercase,
    "javalowercase": .lowercase, "upper": .uppercase, "uppercase": .uppercase, "javauppercase": .uppercase,
    "punct": .punctuation, "cntrl": .control, "graph": .graphic, "print": .printable,
    "blank": .horizontalSpace,
    "space": .space, "whitespace": .space, "javawhitespace": .space, "word": .word,
    "xdigit": .hexadecimalDigit,
    "hexdigit": .hexadecimalDigit,
  ]

  private static let generalNames: [String: String] = [
    "L": "letter", "Lu": "uppercaseletter", "Ll": "lowercaseletter", "Lt": "titlecaseletter",
    "Lm": "modifierletter", "Lo": "otherletter", "M": "mark", "Mn": "nonspacingmark", "Mc": "spacingmark",
    "Me": "enclosingmark", "N": "number", "Nd": "decimalnumber", "Nl": "letternumber", "No": "othernumber",
    "P": "punctuation", "Pc": "connectorpunctuation", "Pd": "dashpunctuation", "Ps": "openpunctuation",
    "Pe": "closepunctuation", "Pi": "initialpunctuation", "Pf": "finalpunctuation", "Po": "otherpunctuation",
    "S": "symbol", "Sm": "mathsymbol", "Sc": "currencysymbol", "Sk": "modifiersymbol", "So": "othersymbol",
    "Z": "separator", "Zs": "spaceseparator", "Zl": "lineseparator", "Zp": "paragraphseparator", "C": "other",
    "Cc": "control", "Cf": "format", "Co": "privateuse", "Cn": "unassigned",
  ]

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .digit: return properties.generalCategory == .decimalNumber
    case .word: return scalar.isWord
    case .space: return properties.isWhitespace
    case .horizontalSpace: return scalar == "\t" || properties.generalCategory == .spaceSeparator
    case .lineBreak: return scalar.isLineBreak
    case .verticalSpace: return scalar.isLineBreak || scalar == "\u{B}" || scalar == "\u{C}"
    case .any: return true
    case .ascii: return scalar.isASCII
    case .alphabetic: return properties.isAlphabetic
    case .alphanumeric: return properties.isAlphabetic || properties.generalCategory == .decimalNumber
    case .lowercase: return properties.isLowercase
    case .uppercase: return properties.isUppercase
    // Java and POSIX count the symbols of ASCII.
    case .punctuation:
      return properties.generalCategory.letters.first == "P"
        || scalar.isASCII && properties.generalCategory.letters.first == "S"
    case .control: return properties.generalCategory == .control
    case .graphic: return !properties.isWhitespace && !properties.generalCategory.isInvisible
    case .printable:
      return properties.generalCategory == .spaceSeparator
        || !properties.isWhitespace && !properties.generalCategory.isInvisible
    case .hexadecimalDigit: return properties.isHexDigit
    case .general(let letters): return properties.generalCategory.letters.hasPrefix(letters)
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is one of `\w` (UTS 18, Annex C).
  var isWord: Bool {
    if isASCII {
      return self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
        || ("0"..."9").contains(self)
    }
    if properties.isAlphabetic || properties.isJoinControl { return true }
    switch properties.generalCategory {
    case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// Whether the scalar ends a line: those of Java.
  var isLineBreak: Bool {
    switch self {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isInvisible: Bool { self == .control || self == .surrogate || self == .unassigned }

  /// The two letters of the category.
  fileprivate var letters: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
