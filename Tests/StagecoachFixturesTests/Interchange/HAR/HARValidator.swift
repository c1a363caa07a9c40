import StagecoachFormats

/// Checks the members and types of HAR 1.2, strictly: all that are required, and none without `_` that it does not know.
enum HARValidator {
  private indirect enum Shape: Sendable {
    case text, date, count, size, milliseconds, optionalMilliseconds, flag
    case list(Shape)
    case object([String: Shape], optional: [String: Shape] = [:])
  }

  private static let pair = Shape.object(["name": .text, "value": .text], optional: ["comment": .text])
  private static let cookie = Shape.object(
    ["name": .text, "value": .text],
    optional: ["path": .text, "domain": .text, "expires": .date, "httpOnly": .flag, "secure": .flag]
  )
  private static let request = Shape.object(
    [
      "method": .text, "url": .text, "httpVersion": .text, "cookies": .list(cookie), "headers": .list(pair),
      "queryString": .list(pair), "headersSize": .size, "bodySize": .size,
    ],
    // `text` and `params` exclude each other; we write the first.
    optional: ["postData": .object(["mimeType": .text, "text": .text])]
  )
  private static let response = Shape.object(
    [
      "status": .count, "statusText": .text, "httpVersion": .text, "cookies": .list(cookie),
      "headers": .list(pair),
      "content": .object(["size": .count, "mimeType": .text], optional: ["text": .text, "encoding": .text]),
      "redirectURL": .text, "headersSize": .size, "bodySize": .size,
    ]
  )
  private static let timings = Shape.object(
    ["send": .milliseconds, "wait": .milliseconds, "receive": .milliseconds],
    optional: [
      "blocked": .optionalMilliseconds, "dns": .optionalMilliseconds, "connect": .optionalMilliseconds,
    ]
  )
  private static let entry = Shape.object(
    [
      "startedDateTime": .date, "time": .milliseconds, "request": request, "response": response,
      "cache": .object([:]),
      "timings": timings,
    ]
  )
  private static let root = Shape.object(
    [
      "log": .object(
        ["version": .text, "creator": .object(["name": .text, "version": .text]), "entries": .list(entry)]
      )
    ]
  )

  /// What is wrong, with its place.
  static func faults(in file: JSONValue) -> [String] {
    var faults: [String] = []
    check(file, root, "", &faults)
    for entry in file["log"]?["entries"]?.arrayValue ?? [] {
      let parts = ["send", "wait", "receive"].compactMap { entry["timings"]?[$0]?.doubleValue }
      let sum = parts.reduce(0, +)
      if abs(sum - (entry["time"]?.doubleValue ?? -1)) > 0.001 {
        faults.append("time is not the sum of timings")
      }
    }
    return faults
  }

  private static func check(_ value: JSONValue, _ shape: Shape, _ place: String, _ faults: inout [String]) {
    let number = value.doubleValue
    let isRight =
      switch shape {
      case .text: value.stringValue != nil
      case .date: value.stringValue?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
      case .count: value.intValue.map { $0 >= 0 } ?? false
      case .size: value.intValue.map { $0 >= -1 } ?? false
      case .milliseconds: number.map { $0 >= 0 } ?? false
      case .optionalMilliseconds: number.map { $0 >= -1 } ?? false
      case .flag: value.boolValue != nil
      case .list: value.arrayValue != nil
      case .object: value.objectValue != nil
      }
    if !isRight { return faults.append("\(place): \(value)") }
    switch shape {
    case .list(let element):
      for (index, item) in (value.arrayValue ?? []).enumerated() {
        check(item, element, "\(place)[\(index)]", &faults)
      }
    case .object(let required, let optional):
      for key in required.keys where value[key] == nil { faults.append("\(place): no \(key)") }
      for member in value.objectValue?.members ?? [] where !member.key.hasPrefix("_") {
        guard let inner = required[member.key] ?? optional[member.key] else {
          faults.append("\(place): unknown \(member.key)")
          continue
        }
        check(member.value, inner, "\(place).\(member.key)", &faults)
      }
    default: break
    }
  }
}
