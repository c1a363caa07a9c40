import StagecoachXML
import Testing

@Suite struct ElementTests {
  @Test func buildsElementsWithConditionsAndLoops() {
    let names = ["a", "b"]
    let isShort = names.count < 3
    let built = XML.Element("list", attributes: ["z": "1", "a": "2"]) {
      "text"
      for name in names { XML.Element("name", attributes: ["id": name], text: name) }
      if isShort { XML.Element("short") } else { XML.Element("long") }
      if !isShort { XML.Element("never") }
      XML.Element.Content.comment("c")
    }
    let listed = XML.Element(
      "list",
      attributes: [XML.Element.Attribute("z", "1"), XML.Element.Attribute("a", "2")],
      children: [
        .text("text"),
        .element(XML.Element("name", attributes: ["id": "a"], text: "a")),
        .element(XML.Element("name", attributes: ["id": "b"], children: [.text("b")])),
        .element(XML.Element("short")),
        .comment("c"),
      ]
    )
    #expect(built == listed)
    #expect(built.hashValue == listed.hashValue)
    #expect(built.attributes.map(\.name.localName) == ["z", "a"])
    #expect(XML.Element("a", text: "").children.isEmpty)
    #expect(XML.Element("a", attributes: [:]) == XML.Element("a"))
  }

  @Test func setsAndRemovesAttributes() {
    var element = XML.Element("a", attributes: ["x": "1", "{urn:p}x": "2", "y": "3"])
    #expect(element["x"] == "1")
    #expect(element["{urn:p}x"] == "2")
    #expect(element["z"] == nil)
    element["x"] = "4"
    element["y"] = nil
    element["z"] = "5"
    element["none"] = nil
    #expect(element == XML.Element("a", attributes: ["x": "4", "{urn:p}x": "2", "z": "5"]))
  }

  @Test func namesCompareByCodePoints() throws {
    let composed = "\u{E9}", decomposed = "e\u{301}"
    let text =
      "<a \(composed)=\"1\" \(decomposed)=\"2\"><\(composed)>3</\(composed)><\(decomposed)>4</\(decomposed)></a>"
    let document = try XML.Document(parsing: text)
    var element = XML.Element(document)
    #expect(try element.serialized() == Array(text.utf8))
    #expect(element[XML.Name(composed)] == "1" && element[XML.Name(decomposed)] == "2")
    #expect(element[element: XML.Name(decomposed)]?.text == "4")
    #expect(XML.Name(composed) != XML.Name(decomposed))
    #expect(XML.Name("a", namespace: composed) != XML.Name("a", namespace: decomposed))
    #expect(Set([XML.Name(composed), XML.Name(decomposed), XML.Name(composed, prefix: "p")]).count == 2)
    #expect(document.root.elements.map(\.path) == ["/a/\(composed)", "/a/\(decomposed)"])
    element[XML.Name(decomposed)] = nil
    #expect(element.attributes.map(\.value) == ["1"])
  }

  @Test func findsAndReplacesChildElements() {
    var element = XML.Element("a") {
      "t"
      XML.Element("b", text: "1")
      XML.Element("{urn:p}b", text: "2")
      XML.Element("b", text: "3")
    }
    #expect(element.elements.map(\.text) == ["1", "2", "3"])
    #expect(element.elements(named: "b").map(\.text) == ["1", "3"])
    #expect(element[element: "b"]?.text == "1")
    #expect(element[element: "c"] == nil)
    element[element: "b"]?.text = "4"
    element[element: "b"]?["id"] = "5"
    element[element: "{urn:p}b"] = nil
    element[element: "c"] = XML.Element("c")
    element[element: "c"]?.children.append(.cdata("6"))
    element[element: "d"] = nil
    #expect(
      element
        == XML.Element("a") {
          "t"
          XML.Element("b", attributes: ["id": "5"], text: "4")
          XML.Element("b", text: "3")
          XML.Element("c") { XML.Element.Content.cdata("6") }
        }
    )
  }

  @Test func joinsTheTextOfDescendants() {
    var element = XML.Element("a") {
      "1"
      XML.Element("b") {
        XML.Element.Content.cdata("2")
        XML.Element("c")
        XML.Element("c") { XML.Element("d", text: "3") }
      }
      XML.Element.Content.comment("no")
      XML.Element.Content.processingInstruction(target: "no", data: "no")
      "4"
    }
    #expect(element.text == "1234")
    element.text = "5"
    #expect(element.children == [.text("5")])
    element.text = ""
    #expect(element.children.isEmpty)
    #expect(element.text == "")
  }

  @Test func prefixesDoNotCountForEquality() {
    var element = XML.Element(XML.Name("a", namespace: "urn:p", prefix: "p"))
    element.namespaces = ["q": "urn:q"]
    #expect(element == XML.Element("{urn:p}a"))
    #expect(element != XML.Element("a"))
  }
}
