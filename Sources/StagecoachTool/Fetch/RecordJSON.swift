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
      var places: [String: Int] = [:]
      var text = ""
      for child in children {
        switch child {
        case .element(let element):
          let key = element.name.localName
          guard let place = places[key] else {
            places[key] = members.count
            members.append(JSONObject.Member(key: key, value: .array([element.json])))
            continue
          }
          if case .array(let values) = members[place].value {
            members[place].value = .array(values + [element.json])
          }
        case .text(let characters), .cdata(let characters): text += characters
        default: break
        }
      }
      guard !members.isEmpty else { return .string(text) }
      for place in places.values {
        if case .array(let values) = members[place].value, values.count == 1 {
          members[place].value = values[0]
        }
      }
      if text.contains(where: { !$0.isWhitespace }) {
        members.append(JSONObject.Member(key: "#text", value: .string(text)))
      }
      return .object(JSONObject(members))
    }
  }
#endif
