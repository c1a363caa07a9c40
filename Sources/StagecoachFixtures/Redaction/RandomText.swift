#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Texts that look random: of a length, with many different characters, and without words.
enum RandomText {
  private static let minCount = 20
  private static let minHexCount = 32
  /// Keys are short; what is longer is content.
  private static let maxCount = 512

  /// The starts of pictures, fonts, archives, documents and certificates in Base64.
  private static let media = [
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "AAABAA", "JVBERi0", "PHN2Zy", "PD94bWw", "d09GR", "d09GM",
    "UEsDB", "H4sI", "MII", "T2dnUw", "SUQz", "Qk0", "AAEAAAA", "TVqQ", "LS0tLS1CRUdJTiBD",
    "LS0tLS1CRUdJTiBQVUJM",
  ].map { Array($0.utf8) }
  /// What is written before a digest.
  private static let digests = ["sha1", "sha256", "sha384", "sha512", "md5", "crc32c", "sha", "nonce"]

  /// The length of the first random word in a text; `nil` if there is none.
  ///
  /// - Parameter isPath: Whether the text is a segment of a path, where the names of files are random as well.
  static func firstCount(in text: ArraySlice<UInt8>, isPath: Bool = false) -> Int? {
    var start = text.startIndex
    while start < text.endIndex {
      guard text[start].isPartOfKey else {
        start += 1
        continue
      }
      var end = start
      while end < text.endIndex, text[end].isPartOfKey { end += 1 }
      let word = text[start..<end]
      if word.count >= minCount, word.count <= maxCount, !follows(text, start), isRandom(word, isPath: isPath)
      {
        return word.count
      }
      start = end
    }
    return nil
  }

  /// Whether a digest or a media type is written before the word: `sha256:`, `sha512-`, `;base64,`.
  private static func follows(_ text: ArraySlice<UInt8>, _ start: Int) -> Bool {
    let before = text[..<start].suffix(12)
    let word = String(decoding: before, as: UTF8.self).lowercased()
    return word.hasSuffix("base64,")
      || digests.contains { word.hasSuffix("\($0):") || word.hasSuffix("\($0)=") }
  }

  /// Whether a word is random, as a whole or what comes behind a word before it.
  private static func isRandom(_ word: ArraySlice<UInt8>, isPath: Bool) -> Bool {
    let isFile = word.lastIndex(of: UInt8(ascii: ".")).map { word.endIndex - $0 <= 6 } ?? false
    if isFile || media.contains(where: word.starts) { return false }
    let lowercased = String(decoding: word.prefix(8), as: UTF8.self).lowercased()
    if digests.contains(where: { lowercased.hasPrefix("\($0)-") }) { return false }
    if SecretValues.isUUID(word) || containsUUID(word) { return false }
    // An address in a chain of blocks.
    if word.count == 42, word.starts(with: "0x".utf8), word.dropFirst(2).allSatisfy(\.isHexDigit) {
      return false
    }
    if word.allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: "-") }) {
      return !isPath && word.count >= minHexCount && entropy(word) >= 3 && word.contains { !$0.isDigit }
        && word.contains(where: \.isDigit) && word.count { $0 == UInt8(ascii: "-") } < 4
    }
    let letters = word.count(where: \.isLetter)
    let digits = word.count(where: \.isDigit)
    let punctuation = word.count - letters - digits
    guard letters >= 6, punctuation * 6 <= word.count, !isNumbers(word) else { return false }
    let isMixed = word.contains(where: \.isUpperCase) && word.contains(where: \.isLowerCase)
    guard digits >= 1 || isMixed && word.count >= 30 else { return false }
    guard !isPath || isMixed && digits >= 2 && word.count >= 24 else { return false }
    return entropy(word) >= min(3.5, log2(Double(word.count)) * 0.8) && wordShare(word) < 0.6
  }

  /// Whether a value of 10 characters or more is a key that is too short to be told by its look alone.
  static func isShortKey(_ value: [UInt8]) -> Bool {
    guard (10...64).contains(value.count), value.allSatisfy(\.isAlphanumeric) else { return false }
    let digits = value.count(where: \.isDigit)
    guard digits >= 2, digits < value.count - 2 else { return false }
    let changes = zip(value, value.dropFirst()).count { $0.isDigit != $1.isDigit }
    return changes >= 3 && changes * 8 >= value.count && wordShare(value[...]) < 0.5
  }

  private static func containsUUID(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count > 36 else { return false }
    return SecretValues.isUUID(word.prefix(36)) || SecretValues.isUUID(word.suffix(36))
  }

  /// Whether a word is made of numbers with short words between them: `v1.2.3-rc.4`, a date, a size.
  private static func isNumbers(_ word: ArraySlice<UInt8>) -> Bool {
    let parts = word.split { $0.isOne(of: "-_.:/+=%") }
    return parts.count >= 3 && parts.allSatisfy { $0.count <= 8 }
  }

  /// The bits that a character says on average (Shannon).
  static func entropy(_ word: ArraySlice<UInt8>) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    for octet in word { counts[Int(octet)] += 1 }
    let total = Double(word.count)
    return counts.reduce(0) { sum, count in
      count == 0 ? sum : sum - Double(count) / total * log2(Double(count) / total)
    }
  }

  /// The share of the characters that are in words: at least 4 letters of one case, or 3 behind a capital.
  static func wordShare(_ word: ArraySlice<UInt8>) -> Double {
    var inWords = 0
    var run: [UInt8] = []
    func end() {
      if isWord(run) { inWords += run.count }
      run = []
    }
    for octet in word {
      let startsWord = octet.isUpperCase && run.last?.isLowerCase == true
      let leavesCapitals = octet.isLowerCase && run.count > 1 && run.last?.isUpperCase == true
      if !octet.isLetter || startsWord || leavesCapitals { end() }
      if octet.isLetter { run.append(octet) }
    }
    end()
    return Double(inWords) / Double(word.count)
  }

  /// Whether most neighbouring letters are often neighbours in languages with the Latin alphabet.
  private static func isWord(_ letters: [UInt8]) -> Bool {
    let isCapitalized = letters.first?.isUpperCase == true && letters.last?.isLowerCase == true
    guard letters.count >= (isCapitalized ? 3 : 4) else { return false }
    let common = zip(letters, letters.dropFirst()).count { isCommonPair($0, $1) }
    return common * 5 >= (letters.count - 1) * 3
  }

  private static func isCommonPair(_ first: UInt8, _ second: UInt8) -> Bool {
    commonPairs[Int((first | 0x20) &- 0x61) * 26 + Int((second | 0x20) &- 0x61)]
  }

  private static let commonPairs: [Bool] = {
    let pairs =
      "thheineranreonatenndtiesorteofedisitalarsttontngsehaasouioleve"
      + "comedehiriroicneearacelichllbemasiomurcaeltalansdifohopeecprno"
      + "ctusacotiltrlyncetutsssorsunlowageiewheewiemadolrtpowenaulnits"
      + "moowpaimmiaishirsuidosiviaamficiviplighttuevldrympfeblabghtyop"
      + "wosaayexkefrooavagifapgrodbosprddoucbueiovbyrmepttocfaefcurnscgi"
      + "dayocrcldugaqueueffbaeylsvaumppupluguohtruugdsltpircrregauckewmu"
      + "brbiptakpuuirgibkinyrkysobmmfuphogmsyeudmbipuboirlgudrccftwnnuafpftzzetwzukk"
    var result = [Bool](repeating: false, count: 26 * 26)
    let letters = pairs.utf8.map { Int($0) - 0x61 }
    for index in stride(from: 0, to: letters.count - 1, by: 2) {
      result[letters[index] * 26 + letters[index + 1]] = true
    }
    return result
  }()
}

extension UInt8 {
  /// Whether the octet may be a part of a key.
  fileprivate var isPartOfKey: Bool { isAlphanumeric || isOne(of: "+/=_-.~") }
}
