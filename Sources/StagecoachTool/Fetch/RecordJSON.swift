#if Tool
  import Stagecoach
  import StagecoachXML

  extension XML.Element {
    /// The element as JSON: its text if it has nothing else, else an object.
    ///
    /// Attributes become members with `@` in front of their names, elements members by their local names, in the
    /// order in which they were first met; several of one name become an array, and text beside elements or
    /// attributes the member `#text`.
    var json: JSONValue {
      var members = attributes.map {
        JSONObject.Member(key: "@\($0.name.localName)", value: .string($0.value))
      }
      var groups: [(key: String, values: [JSONValue])] = []
      var places: [String: Int] = [:]
      var text = ""
      for child in children {
        switch child {
        case .element(let element):
          let key = element.name.localName
          if let place = places[key] {
            groups[place].values.append(element.json)
          } else {
            places[key] = groups.count
            groups.append((key, [element.json]))
          }
        case .text(let characters), .cdata(let characters): text += characters
        default: break
        }
      }
      members += groups.map { key, values in
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
