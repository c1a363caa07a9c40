import Testing

@testable import StagecoachFixtures

@Suite struct XMLComparisonTests {
  private func mismatches(
    _ expected: String,
    _ actual: String,
    _ rules: MatchRules = [],
    isResponse: Bool = false
  )
    -> [String]
  {
    bodyMismatches(expected, actual, rules, type: "application/xml", isResponse: isResponse)
  }

  @Test func comparesNamesByNamespace() {
    #expect(mismatches("<foo/>", "<bar/>") == ["$.foo Expected 'foo' to be equal to 'bar'"])
    #expect(mismatches("<a:foo xmlns:a='u'/>", "<foo xmlns='u'/>") == [])
    #expect(mismatches("<foo xmlns='u'/>", "<foo/>") == ["$['u:foo'] Expected 'u:foo' to be equal to 'foo'"])
    #expect(mismatches("<a x:b='1' xmlns:x='u'/>", "<a y:b='1' xmlns:y='u'/>") == [])
    #expect(mismatches("<a x:b='1' xmlns:x='u'/>", "<a y:b='1' xmlns:y='v'/>").count == 2)
  }

  @Test func comparesAttributes() {
    #expect(mismatches("<a b='1'/>", "<a b='2'/>") == ["$.a['@b'] Expected '2' to be equal to '1'"])
    #expect(
      mismatches("<a/>", "<a b='1'/>") == ["$.a Did not expect any attributes but received {\"b\": \"1\"}"]
    )
    #expect(mismatches("<a/>", "<a b='1'/>", isResponse: true) == [])
    #expect(
      mismatches("<a b='1'/>", "<a/>", isResponse: true) == [
        "$.a Expected at least 1 attribute(s) but received 0 attribute(s)",
        "$.a['@b'] Expected attribute 'b'='1' but was missing",
      ]
    )
  }

  @Test func comparesChildrenInAnyOrder() {
    #expect(mismatches("<v><one/><two/></v>", "<v><two/><one/></v>") == [])
    #expect(
      mismatches("<v><one/><two/></v>", "<v><one/></v>") == ["$.v Expected child <two/> but was missing"]
    )
    #expect(mismatches("<v><one/></v>", "<v><one/><two/></v>") == ["$.v Unexpected child <two/>"])
    #expect(mismatches("<v><one/></v>", "<v><one/><two/></v>", isResponse: true) == [])
    #expect(mismatches("<v><i>1</i></v>", "<v><i>1</i><i>2</i></v>") == ["$.v.i Unexpected child <i/>"])
    #expect(mismatches("<v><i>1</i></v>", "<v><i>1</i><i>2</i></v>", isResponse: true) == [])
    #expect(mismatches("<v/>", "<v><i/></v>") == ["$.v Expected no children but received [i]"])
  }

  /// Not pinned by the published cases.
  @Test func trimsTexts() {
    #expect(mismatches("<a>x</a>", "<a>\n  x\n</a>") == [])
    #expect(mismatches("<a>\n <b/>\n</a>", "<a><b/></a>") == [])
    #expect(mismatches("<a>x</a>", "<a><![CDATA[x]]></a>") == [])
    #expect(mismatches("<a>x</a>", "<a>y</a>") == ["$.a['#text'] Expected 'y' to be equal to 'x'"])
  }

  @Test func aTypeRuleAllowsMoreChildren() throws {
    let rules: MatchRules = [try MatchRule("body/people", .type())]
    let expected = "<people><person>A</person></people>"
    #expect(mismatches(expected, "<people><person>B</person><person>C</person></people>", rules) == [])
    #expect(
      mismatches(expected, "<people><person>B</person><cat/></people>", rules, isResponse: true)
        == ["$.people Unexpected child <cat/>"]
    )
  }

  @Test func checksTheNumberOfChildren() throws {
    let rules: MatchRules = [try MatchRule("body/a", .type(min: 2, max: 3))]
    #expect(
      mismatches("<a><b/></a>", "<a><b/></a>", rules) == ["$.a Expected 'a' to have at least 2 children"]
    )
    #expect(mismatches("<a><b/></a>", "<a><b/><b/></a>", rules) == [])
    #expect(
      mismatches("<a><b/></a>", "<a><b/><b/><b/><b/></a>", rules) == [
        "$.a Expected 'a' to have at most 3 children"
      ]
    )
  }

  @Test func aRegexOfAnElementAppliesToItsText() throws {
    let rules: MatchRules = [try MatchRule("body/a/b", .regex(TextPattern("\\d+")))]
    #expect(mismatches("<a><b id='x'>1</b></a>", "<a><b id='x'>23</b></a>", rules) == [])
    #expect(
      mismatches("<a><b>1</b></a>", "<a><b>x</b></a>", rules) == [
        "$.a.b['#text'] Expected 'x' to match '\\d+'"
      ]
    )
  }

  @Test func resolvesPrefixesInRules() throws {
    let rules: MatchRules = [try MatchRule("body/n:a/n:b", .regex(TextPattern("\\d+")))]
    #expect(mismatches("<n:a xmlns:n='u'><n:b>1</n:b></n:a>", "<a xmlns='u'><b>23</b></a>", rules) == [])
  }

  @Test func documentTypesAreRefused() {
    let text = "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"
    #expect(mismatches("<a>x</a>", text).first?.hasPrefix("$ Failed to parse the actual body") == true)
  }
}
