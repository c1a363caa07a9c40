#if Tool
  import Stagecoach
  import StagecoachXML

  extension XML.Element {
    /// The element as JSON: its text if it has nothing else, else an object.
    ///
    /// Attributes become members by their local names with `@` in front, elements members by their local names, in
    /// the order in which they were first met; several of one local name, also in different namespaces, become an
    /// array, and text beside elements or attributes the member `#text`. No object has two members of one name.
    var json: JSONValue {
      var groups: [(key: String, values: [JSONValue])] = []
      var places: [String: Int] = [:]
      func add(_ key: String, _ value: JSONValue) {
        if let place = places[key] {
          groups[place].values.append(value)
        } else {
          places[key] = groups.count
          groups.append((key, [value]))
        }
      }
      for attribute in attributes { add("@" + attribute.name.localName, .string(attribute.value)) }
      var text = ""
      for child in children {
        switch child {
        case .element(let element): add(element.name.localName, element.json)
        case .text(let characters), .cdata(let characters): text += characters
        default: break
        }
      }
      var members = groups.map { key, values in
        JSONObject.Member(key: key, value: values.count == 1 ? values[0] : .array(values))
      }
      guard !members.isEmpty else { return .string(text) }
      if text.contains(where: { !$0.isWhitespace }) {
        members.append(JSONObject.Member(key: "#text", value: .string(text)))
      }
      return .object(JSONObject(members))
    }
  }
#endif
