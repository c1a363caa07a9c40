import StagecoachXML
import Testing

@Suite struct XPathVariablesTests {
  @Test func variablesOfEveryTypeAreNeverReadAsExpressions() throws {
    let document = try parse("<a><b id='1'>x</b><b id='2'>y</b><c>2</c></a>")
    let hostile = "' or '1'='1\"\u{E4}"
    #expect(try document.xpath("$v", variables: ["v": .literal(hostile)]) == .literal(hostile))
    #expect(try document.xpath("//b[@id = $v]", variables: ["v": .literal(hostile)]).nodes.isEmpty)
    #expect(try document.xpath("//b[@id = $v]", variables: ["v": .literal("2")]).string == "y")
    #expect(try document.xpath("$v + 1", variables: ["v": .number(1.5)]) == .number(2.5))
    #expect(try document.xpath("not($v)", variables: ["v": .boolean(true)]) == .boolean(false))
    let all = try document.xpath("//b | //c | //@id")
    #expect(try document.xpath("$v", variables: ["v": all]) == all)
    #expect(try document.xpath("count($v[self::b])", variables: ["v": all]) == .number(2))
    #expect(try document.xpath("//b[@id = $v]", variables: ["v": .nodeSet([])]).nodes.isEmpty)
    #expect(try document.xpath("//b[@id = $v]", variables: ["v": all]).string == "x")
    let twice = XML.XPathValue.nodeSet(all.nodes + all.nodes + [document.node])
    #expect(try document.xpath("count($v)", variables: ["v": twice]) == .number(6))
    #expect(try document.xpath("$v/b[1]", variables: ["v": .nodeSet([document.root])]).string == "x")
    let node = try #require(document.root.elements.last)
    let both: [String: XML.XPathValue] = ["x": .number(1), "\u{E4}-1": .number(2)]
    #expect(try node.xpath("$x + $\u{E4}-1 + .", variables: both) == .number(5))
  }

  @Test func refusesUndefinedAndForeignVariables() throws {
    let document = try parse("<a/>"), other = try parse("<a/>")
    func reason(_ expression: String, _ variables: [String: XML.XPathValue]) -> XML.XPathError.Reason? {
      #expect(throws: XML.XPathError.self) { try document.xpath(expression, variables: variables) }?.reason
    }
    #expect(reason("$x", [:]) == .undefinedVariable)
    #expect(reason("$y", ["x": .number(1)]) == .undefinedVariable)
    #expect(reason("$x", ["x": .nodeSet([other.root])]) == .invalidVariable(name: "x"))
    #expect(reason("$x", ["x": .literal("a\0")]) == .invalidVariable(name: "x"))
    for name in ["", "a b", "p:x", "$x", "x\0"] {
      #expect(reason("1", [name: .number(1)]) == .invalidVariable(name: name))
    }
  }

  /// The functions of the recommendation, with its examples where it has some (section 4).
  @Test(arguments: [
    ("count(//b[last()])", "1"), ("string(//b[position() = 2])", "y"), ("count(//b)", "2"),
    ("string(id('2'))", "y"), ("count(id('1 2'))", "2"), ("local-name(//p:c)", "c"), ("name(//p:c)", "p:c"),
    ("namespace-uri(//p:c)", "urn:p"), ("local-name()", ""), ("string(//a)", "xyz"),
    ("string(1 div 3 * 3)", "1"),
    ("concat('a', 1, true())", "a1true"), ("starts-with('abc', 'ab')", "true"),
    ("contains('abc', 'd')", "false"),
    ("substring-before('1999/04/01', '/')", "1999"), ("substring-after('1999/04/01', '/')", "04/01"),
    ("substring-after('1999/04/01', '19')", "99/04/01"), ("substring('12345', 2, 3)", "234"),
    ("substring('12345', 2)", "2345"), ("substring('12345', 1.5, 2.6)", "234"),
    ("substring('12345', 0, 3)", "12"),
    ("substring('12345', 0 div 0, 3)", ""), ("substring('12345', 1, 0 div 0)", ""),
    ("substring('12345', -42, 1 div 0)", "12345"), ("substring('12345', -1 div 0, 1 div 0)", ""),
    ("string-length('\u{E4}\u{1F600}')", "2"), ("normalize-space('  a  b ')", "a b"),
    ("translate('bar', 'abc', 'ABC')", "BAr"), ("translate('--aaa--', 'abc-', 'ABC')", "AAA"),
    ("boolean('')", "false"), ("boolean(0 div 0)", "false"), ("boolean(//a)", "true"),
    ("not(false())", "true"),
    ("//b[2][lang('EN')]", "y"), ("//b[1][lang('en')]", ""), ("number(' -1.5 ')", "-1.5"),
    ("sum(//@n)", "3"), ("floor(-1.5)", "-2"), ("ceiling(-1.5)", "-1"), ("round(-1.5)", "-1"),
    ("round(2.5)", "3"),
    ("5 mod 2", "1"), ("-5 mod 2", "-1"), ("1 div -0", "-Infinity"), ("//b = 'y'", "true"),
    ("//b != 'y'", "true"),
  ])
  func evaluatesTheCoreFunctions(expression: String, value: String) throws {
    let document = try parse(
      """
      <!DOCTYPE a [<!ATTLIST b i ID #IMPLIED>]>\
      <a xmlns:p="urn:p"><b i="1" n="1">x</b><b i="2" n="2" xml:lang="en-GB">y</b><p:c>z</p:c></a>
      """
    )
    let result = try document.xpath(expression, namespaces: ["p": "urn:p"])
    #expect(result.string == value)
  }
}
