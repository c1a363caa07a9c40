#if Tool
  import Stagecoach

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  extension [URLQueryItem] {
    /// An object of the values of a form by their keys: a key that repeats has an array.
    var json: JSONValue {
      var keys: [String] = []
      var values: [String: [JSONValue]] = [:]
      for item in self {
        if values[item.name] == nil { keys.append(item.name) }
        values[item.name, default: []].append(item.value.map(JSONValue.string) ?? .null)
      }
      return .object(
        JSONObject(
          keys.map { key in
            let values = values[key] ?? []
            return JSONObject.Member(key: key, value: values.count == 1 ? values[0] : .array(values))
          }
        )
      )
    }
  }
#endif
