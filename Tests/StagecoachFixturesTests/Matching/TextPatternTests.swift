import StagecoachCore
import Testing

@testable import StagecoachFixtures

@Suite struct TextPatternTests {
  @Test(arguments: [
    ("", [""], ["a"]), ("a|b|", ["a", "b", ""], ["ab"]), ("\\d{1,4}", ["9999", "٣"], ["9999X", "", "²"]),
    ("a{2,}", ["aa", "aaaa"], ["a"]), ("a{,2}", ["", "aa"], ["aaa"]), ("a{0}b", ["b"], ["ab"]),
    ("(?:ab){2}c?", ["abab", "ababc"], ["ab"]),
    ("a.c", ["abc", "aéc", "a\u{B}c"], ["a\nc", "a\u{2028}c", "ac"]),
    ("(?s)a.c", ["a\nc"], ["ac"]), ("/users/{id}", ["/users/{id}"], ["/users/"]), ("a]}", ["a]}"], []),
    ("\\w+", ["aZ_0é中"], ["-", " "]), ("\\W\\D\\S", ["-a-"], ["a0 "]), ("\\s+", [" \t\n\u{a0}"], ["", "a"]),
    ("\\h\\v", [" \n"], ["\n "]), ("a\\Rb", ["a\r\nb", "a\nb"], ["a\n\nb"]),
    ("[a-c.\\-^]+", ["a.-^b"], ["d"]), ("[^a-c]", ["d", "é", "\n"], ["a"]), ("[]a]", ["]", "a"], ["b"]),
    ("[\\w.-]+@[\\w-]+", ["a.b-c@d-e"], ["@"]), ("[\\d-z]", ["-", "z"], ["a"]),
    ("[+--]", ["+", ",", "-"], ["."]),
    ("[a-z&&[^aeiou]]", ["b"], ["a", "&"]), ("[a-z--[aeiou]]", ["b"], ["a"]),
    ("[a-c~~b-d]", ["a", "d"], ["b"]),
    ("[a[0-9]]", ["a", "5"], ["b"]), ("[[:alpha:]_]+", ["aZ_é"], ["1"]), ("[[:^alpha:]]", ["1"], ["a"]),
    ("\\p{Lu}\\p{L}\\pN\\P{L}", ["Ée1-"], ["ee1-"]), ("\\p{^Lu}", ["a"], ["A"]),
    ("\\p{Punct}+", ["$-.!"], ["a"]),
    ("\\p{IsAlphabetic}\\p{gc=Ll}", ["Aa"], ["1a"]), ("\\Qa.b\\E+", ["a.b", "a.bb"], ["axb", "a.ba.b"]),
    ("[\\Q]-\\E]", ["]", "-"], ["Q"]),
    ("\\x41\\x{1F600}\\u0042\\u{43}\\t\\cA\\07", ["A😀BC\t\u{1}\u{7}"], ["A"]),
    ("(?i)straße[A-C]\\x4b", ["STRAßEbK", "straßeCk"], ["strassebk"]), ("a(?i)b", ["aB"], ["AB"]),
    ("(a(?i)b)c", ["aBc"], ["aBC"]), ("(?i:k)[k]", ["Kk", "\u{212a}k"], ["kK"]), ("(?i)[^a-c]", ["d"], ["B"]),
    ("(?x) a b # c\n [ ]", ["ab "], ["a b"]), ("a(?#c)b", ["ab"], []), ("(?im-s:A)b", ["ab"], ["aB"]),
    ("(?<n>a)(?P<m>b)(?'o'c)", ["abc"], ["ab"]), ("^ab$", ["ab"], ["ab\n"]), ("\\Aab\\z", ["ab"], []),
    ("(?m)a$\n^b", ["a\nb"], ["a\n\nb"]), ("ab\\Z\\n", ["ab\n"], ["ab"]), ("a\\b-\\Bb?", ["a-"], ["a-b"]),
    ("\\bé\\b", ["é"], []), ("a*?b+?c??", ["aabbc", "b"], ["a"]), ("\\/\\-\\.\\ ", ["/-. "], ["/"]),
    ("(a*)*", ["", "aa"], ["b"]), ("(a|ab)(c|bcd)", ["abcd", "ac", "abc"], ["abd"]),
    ("é", ["é"], ["e\u{301}"]),
  ])
  func matchesTheWholeText(pattern: String, texts: [String], others: [String]) throws {
    let compiled = try TextPattern(pattern)
    for text in texts { #expect(try compiled.matches(text), "'\(text)'") }
    for text in others { #expect(try !compiled.matches(text), "'\(text)'") }
  }

  @Test(arguments: [
    ("\\d{1,4}", ["9999X", "X1"], ["X"]), ("^b", ["bc"], ["a\nb"]), ("(?m)^b$", ["a\nb\nc"], ["ab"]),
    ("b\\Z", ["ab\n", "ab\r\n"], ["ab\n\n"]), ("\\bfoo\\b", ["a foo b"], ["afoo"]), ("", ["", "a"], []),
  ])
  func matchesAnywhereInTheText(pattern: String, texts: [String], others: [String]) throws {
    let compiled = try TextPattern(pattern, extent: .anywhere)
    for text in texts { #expect(try compiled.matches(text), "'\(text)'") }
    for text in others { #expect(try !compiled.matches(text), "'\(text)'") }
  }

  @Test(arguments: [
    (".*(/a/\\d)$", "http://h/a/2", "/a/2"), ("(.*)(/.*)", "x/y/z", "x/y"), ("(.*?)(/.*)", "x/y/z", "x"),
    ("(?:x)(?<n>.)?y", "xy", nil), ("(a|b)*", "ab", "b"), ("(a)", "b", nil), ("a", "a", nil),
  ])
  func returnsTheFirstGroup(pattern: String, text: String, group: String?) throws {
    #expect(try TextPattern(pattern).firstGroup(in: text) == group)
  }

  @Test(arguments: [
    ("a(?=b)", "look-ahead at offset 3"), ("(?!a)", "look-ahead"), ("(?<=a)b", "look-behind"),
    ("(?<!a)", "look-behind"),
    ("(?>a)", "an atomic group"), ("a*+", "a possessive quantifier"), ("a{2}+", "a possessive quantifier"),
    ("(a)\\1", "a back reference at offset 4"), ("(?<n>a)\\k<n>", "a back reference"), ("\\X", "'\\X'"),
    ("(?P=n)", "a reference to a group"), ("(?R)", "an unknown kind of group"), ("(?iJ)a", "the option 'J'"),
    ("\\p{IsLatin}", "the property 'IsLatin'"), ("[[:foo:]]", "the class 'foo'"), ("\\y", "the escape '\\y'"),
  ])
  func refusesAnUnsupportedConstruct(pattern: String, what: String) throws {
    let error = try #require(throws: TextPatternError.self) { try TextPattern(pattern) }
    #expect(
      "\(error)".hasPrefix("the regular expression '\(pattern)' is not supported - it has \(what)"),
      "\(error)"
    )
  }

  @Test(arguments: [
    "(", ")", "a)", "(a", "[", "[]", "[a", "[z-a]", "*", "+a", "a**", "a{2}{3}", "{2}", "a{3,2}", "a\\",
    "\\x4",
    "\\u{110000}", "(?<", "(?<1>a)", "(?#a", "\\p{L", "a|*",
  ])
  func refusesAMalformedExpression(pattern: String) throws {
    let error = try #require(throws: TextPatternError.self) { try TextPattern(pattern) }
    #expect("\(error)".hasPrefix("'\(pattern)' is not a valid regular expression - "), "\(error)")
  }

  @Test func refusesDeepAndLargeExpressions() {
    #expect(throws: TextPatternError.tooDeep(limit: 50)) {
      try TextPattern(String(repeating: "(", count: 5000))
    }
    #expect(throws: TextPatternError.tooDeep(limit: 50)) {
      try TextPattern(String(repeating: "[a", count: 5000))
    }
    #expect(throws: TextPatternError.tooLong(limit: 16_384)) {
      try TextPattern(String(repeating: "a", count: 20_000))
    }
    for pattern in [
      "(((a{99}){99}){99})", "a{999999}", "a{99999999999999999999,}", "((){9999}){9999}", "(a{500}|b){500}",
    ] {
      let limit = PatternExpression.greatestSize
      #expect(throws: TextPatternError.tooLarge(pattern: pattern, limit: limit)) { try TextPattern(pattern) }
    }
    #expect(throws: Never.self) { try TextPattern("[a-z]{0,65535}") }
  }

  /// The steps of a match are in proportion to the text, and to the expression with its repetitions written out.
  @Test(arguments: [
    ("/(\\w+-?)*", "/" + String(repeating: "a", count: 2000) + "!"),
    ("(a*)*b", String(repeating: "a", count: 2000)),
    ("(a|a|aa|.)*$x", String(repeating: "a", count: 2000)),
    ("(.*)*(.*)*x", String(repeating: "b", count: 2000)),
    ("(a?){50}a{50}", String(repeating: "a", count: 50)),
    ("(?:(?:(?:x?)*)*)*y", String(repeating: "x", count: 2000)),
    ("([^\\W]|[\\p{L}\\p{N}]|é)+!", String(repeating: "é", count: 2000)),
  ])
  func matchingTakesLinearSteps(pattern: String, text: String) throws {
    for extent in [TextPattern.Extent.whole, .anywhere] {
      let compiled = try TextPattern(pattern, extent: extent)
      var machine = PatternMachine(compiled)
      _ = try machine.match(text)
      let cost = compiled.expression.sets.map(\.cost).max() ?? 1
      #expect(machine.steps <= (text.unicodeScalars.count + 1) * (compiled.expression.size + 1) * (cost + 1))
    }
  }

  @Test func givesUpAfterTooManySteps() throws {
    let pattern = try TextPattern("(a?){100}b")
    let text = String(repeating: "a", count: 500)
    var machine = PatternMachine(pattern, greatestSteps: 1000)
    let limit = 1000 + 500 * PatternMachine.stepsPerByte
    #expect(throws: TextPatternError.tooManySteps(pattern: pattern.text, limit: limit)) {
      try machine.match(text)
    }
    // What is slow is no mismatch without a word.
    let slow = try TextPattern("(a?){20000}")
    let problem = try #require(Matcher.regex(slow).textProblem(of: String(repeating: "a", count: 2000)))
    #expect(
      problem.hasSuffix(
        "- the regular expression '(a?){20000}' is too slow for the text - it takes more than "
          + "\(PatternMachine.greatestSteps + 2000 * PatternMachine.stepsPerByte) steps"
      )
    )
  }

  /// Random patterns give the verdicts of Swift's `Regex`.
  @Test func agreesWithSwiftsRegex() throws {
    let context = GeneratorContext(randomSource: SeededRandom(seed: 5))
    let atoms = [
      "a", "b", ".", "\\d", "\\w", "[ab]", "[^a]", "(a)", "(b|a)", "(?:ab)", "(a|)", "(?i:A)", "[a-c&&[^b]]",
      "\\s", "\\n",
      "^", "$", "\\Z", "\\A", "(", "|", ")",
    ]
    let quantifiers = ["", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}"]
    let texts = ["", "a", "ab", "aab", "aba", "ba-1", "a b", "A1", "a\nb", "aa\n", "abab"]
    var (matched, refused) = (0, 0)
    for _ in 0..<1500 {
      var pattern = ""
      for _ in 0..<(1 + context.random(below: 4)) {
        let atom = atoms[context.random(below: atoms.count)]
        pattern += atom
        if !["^", "$", "\\Z", "\\A", "(", "|"].contains(atom) {
          pattern += quantifiers[context.random(below: quantifiers.count)]
        }
      }
      guard let regex = try? Regex(pattern).matchingSemantics(.unicodeScalar) else {
        #expect(throws: TextPatternError.self) { try TextPattern(pattern) }
        refused += 1
        continue
      }
      let (whole, part) = (try TextPattern(pattern), try TextPattern(pattern, extent: .anywhere))
      for text in texts {
        let isWhole = try regex.wholeMatch(in: text) != nil
        #expect(try whole.matches(text) == isWhole, "\(pattern): '\(text)'")
        #expect(try part.matches(text) == (regex.firstMatch(in: text) != nil), "\(pattern): '\(text)'")
        matched += isWhole ? 1 : 0
      }
    }
    #expect(matched > 1000 && refused > 100)
  }
}
