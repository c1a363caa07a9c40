import StagecoachCore

/// Reads the value of a field of challenges, or of parameters only; see `AuthenticationChallenge.parse`.
struct ChallengeReader: FieldReading {
  /// The result of reading all fields so far.
  struct Result {
    var challenges: [AuthenticationChallenge] = []
    private(set) var problems: [ChallengeProblem] = []

    /// The maximum number of problems that are reported.
    static let maximumProblemCount = 32

    mutating func note(_ problem: ChallengeProblem) {
      if problems.count < Self.maximumProblemCount { problems.append(problem) }
    }
  }

  /// The challenge that parameters belong to.
  private struct Current {
    var scheme: String
    var parameters: [FieldParameter] = []
    var token68: String?
    var isUsable = true
    var isFull = false
  }

  let octets: UnsafeBufferPointer<UInt8>
  var position = 0
  private var current: Current?
  private var result: Result

  private init(octets: UnsafeBufferPointer<UInt8>, result: Result) {
    self.octets = octets
    self.result = result
  }

  static func read(_ octets: UnsafeBufferPointer<UInt8>, into result: inout Result) {
    reading(octets, into: &result) { $0.readChallenges() }
  }

  /// The parameters of a field that has no schemes, such as Authentication-Info; nil if one has two values.
  static func parameters(_ octets: UnsafeBufferPointer<UInt8>) -> [FieldParameter]? {
    var result = Result()
    var parameters: [FieldParameter]? = []
    reading(octets, into: &result) { reader in
      reader.current = Current(scheme: "")
      reader.readElements(areParametersAlone: true)
      parameters = reader.current.flatMap { $0.isUsable ? $0.parameters : nil }
    }
    return parameters
  }

  private static func reading(
    _ octets: UnsafeBufferPointer<UInt8>,
    into result: inout Result,
    _ read: (inout ChallengeReader) -> Void
  ) {
    guard octets.count <= AuthenticationChallenge.maximumFieldLength else {
      return result.note(.fieldTooLong(limit: AuthenticationChallenge.maximumFieldLength))
    }
    guard !octets.contains(where: \.isControlInField) else { return result.note(.controlCharacter) }
    String(utf8OrLatin1: octets).withUTF8Bytes { octets in
      var reader = ChallengeReader(octets: octets, result: result)
      read(&reader)
      result = reader.result
    }
  }

  private mutating func readChallenges() {
    readElements(areParametersAlone: false)
    finishCurrent()
  }

  private mutating func readElements(areParametersAlone: Bool) {
    var isBehindComma = true
    while true {
      skipBlanks()
      guard position < octets.count else { return }
      if take(UInt8(ascii: ",")) {
        isBehindComma = true
        continue
      }
      if !isBehindComma { result.note(.missingComma(scheme: current?.scheme ?? "")) }
      isBehindComma = false
      let start = position
      guard let word = readToken() else {
        skipElement(from: start)
        continue
      }
      if isAtEqualsSign() {
        readParameter(word, from: start)
      } else if areParametersAlone {
        skipElement(from: start)
      } else if position == octets.count || octets[position].isBlankInField || isAtComma {
        finishCurrent()
        guard result.challenges.count < AuthenticationChallenge.maximumCount else {
          return result.note(.tooManyChallenges(limit: AuthenticationChallenge.maximumCount))
        }
        readScheme(word)
      } else {
        // It may have been meant as a scheme, so the following parameters do not belong to the previous challenge.
        skipElement(from: start)
        finishCurrent()
      }
    }
  }

  private mutating func finishCurrent() {
    if let current, current.isUsable {
      result.challenges.append(
        AuthenticationChallenge(
          checkedScheme: current.scheme,
          parameters: current.parameters,
          token68: current.token68
        )
      )
    }
    current = nil
  }

  /// Reads the token68 or the first parameter after a scheme.
  private mutating func readScheme(_ scheme: String) {
    current = Current(scheme: scheme)
    let blanks = position
    skipBlanks()
    if octets[blanks..<position].contains(0x09), position < octets.count, !isAtComma {
      result.note(.tabBehindScheme(scheme: scheme))
    }
    let start = position
    while position < octets.count, octets[position].isToken68Octet { position += 1 }
    if position > start {
      while take(UInt8(ascii: "=")) {}
      let end = position
      skipBlanks()
      if position == octets.count || isAtComma {
        current?.token68 = String(decoding: octets[start..<end], as: UTF8.self)
        return
      }
    }
    position = start
    guard position < octets.count, !isAtComma else { return }
    if let name = readToken(), isAtEqualsSign() {
      readParameter(name, from: start)
    } else {
      position = start
    }
  }
}

extension ChallengeReader {
  private var isAtComma: Bool { position < octets.count && octets[position] == UInt8(ascii: ",") }

  /// A token as it was sent; nil if none is here.
  private mutating func readToken() -> String? {
    let start = position
    while position < octets.count, octets[position].isTokenOctet { position += 1 }
    return position > start ? String(decoding: octets[start..<position], as: UTF8.self) : nil
  }

  /// Whether the next octet other than a blank is an equals sign, which then is next.
  private mutating func isAtEqualsSign() -> Bool {
    let start = position
    skipBlanks()
    if position < octets.count, octets[position] == UInt8(ascii: "=") { return true }
    position = start
    return false
  }

  /// The rest of a parameter, from its equals sign.
  private mutating func readParameter(_ name: String, from start: Int) {
    guard let scheme = current?.scheme else { return skipElement(from: start) }
    _ = take(UInt8(ascii: "="))
    skipBlanks()
    let name = name.lowercased()
    let value =
      take(UInt8(ascii: "\"")) ? quotedValue(of: name, scheme: scheme) : plainValue(of: name, scheme: scheme)
    add(FieldParameter(name: name, value: value), from: start)
  }

  private mutating func add(_ parameter: FieldParameter, from start: Int) {
    guard var current else { return }
    defer { self.current = current }
    if let token = current.token68 {
      // `realm=` was a token68 as long as nothing followed.
      let name = token.utf8.last == UInt8(ascii: "=") ? String(token.dropLast()) : token
      guard name.isToken else { return result.note(.skipped(excerpt(from: start))) }
      result.note(.emptyParameter(scheme: current.scheme, parameter: name))
      current.token68 = nil
      current.parameters.append(FieldParameter(name: name, value: ""))
    }
    if let known = current.parameters.first(where: { $0.name == parameter.name }) {
      if known.value.utf8.elementsEqual(parameter.value.utf8) { return }
      if current.isUsable {
        result.note(.conflictingParameter(scheme: current.scheme, parameter: parameter.name))
      }
      current.isUsable = false
    } else if current.parameters.count < AuthenticationChallenge.maximumParameterCount {
      current.parameters.append(parameter)
    } else if !current.isFull {
      let limit = AuthenticationChallenge.maximumParameterCount
      result.note(.tooManyParameters(scheme: current.scheme, limit: limit))
      current.isFull = true
    }
  }

  /// The rest of a quoted string behind its opening quote.
  private mutating func quotedValue(of name: String, scheme: String) -> String {
    var value: [UInt8] = []
    var hasStrayQuote = false
    while position < octets.count {
      let octet = octets[position]
      position += 1
      if octet == UInt8(ascii: "\\") {
        guard position < octets.count else { break }
        value.append(octets[position])
        position += 1
      } else if octet == UInt8(ascii: "\""), isAtEndOfQuotedString {
        if hasStrayQuote { result.note(.strayQuote(scheme: scheme, parameter: name)) }
        return String(decoding: value, as: UTF8.self)
      } else {
        if octet == UInt8(ascii: "\"") { hasStrayQuote = true }
        value.append(octet)
      }
    }
    result.note(.unterminatedQuote(scheme: scheme, parameter: name))
    return String(decoding: value, as: UTF8.self)
  }

  private var isAtEndOfQuotedString: Bool {
    position == octets.count || octets[position].isBlankInField || isAtComma
  }

  /// A value without quotes: up to a comma, or to a blank with another parameter behind it.
  private mutating func plainValue(of name: String, scheme: String) -> String {
    let start = position
    var end = position
    while position < octets.count, !isAtComma {
      if octets[position].isBlankInField {
        skipBlanks()
        let word = position
        while position < octets.count, octets[position].isTokenOctet { position += 1 }
        let isParameter = position > word && isAtEqualsSign()
        position = isParameter ? end : word
        if isParameter { break }
      } else {
        position += 1
        end = position
      }
    }
    let value = octets[start..<end]
    if value.isEmpty || !value.allSatisfy(\.isTokenOctet) {
      result.note(.unquotedValue(scheme: scheme, parameter: name))
    }
    return String(decoding: value, as: UTF8.self)
  }

  /// Skips to the next comma outside of quotes.
  private mutating func skipElement(from start: Int) {
    position = start
    while position < octets.count, !isAtComma {
      let octet = octets[position]
      position += 1
      if octet == UInt8(ascii: "\"") { _ = quotedString() }
    }
    result.note(.skipped(excerpt(from: start)))
  }

  private func excerpt(from start: Int) -> String {
    let text = octets[start..<position]
    let end = text.count > 40 ? "…" : ""
    return Format.oneLine(String(decoding: text.prefix(40), as: UTF8.self)) + end
  }
}
