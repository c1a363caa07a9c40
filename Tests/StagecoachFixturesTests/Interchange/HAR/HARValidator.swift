import StagecoachFormats

/// Checks the members and types of HAR 1.2, strictly: all that are required, and none without `_` that it does not know.
enum HARValidator {
  private static let pair = JSONShape.object(["name": .text, "value": .text], optional: ["comment": .text])
  private static let cookie = JSONShape.object(
    ["name": .text, "value": .text],
    optional: ["path": .text, "domain": .text, "expires": .date, "httpOnly": .flag, "secure": .flag]
  )
  private static let request = JSONShape.object(
    [
      "method": .text, "url": .text, "httpVersion": .text, "cookies": .list(cookie), "headers": .list(pair),
      "queryString": .list(pair), "headersSize": .whole(from: -1), "bodySize": .whole(from: -1),
    ],
    // `text` and `params` exclude each other; we write the first.
    optional: ["postData": .object(["mimeType": .text, "text": .text])]
  )
  private static let content = JSONShape.object(
    ["size": .whole(from: 0), "mimeType": .text],
    optional: ["text": .text, "encoding": .text]
  )
  private static let response = JSONShape.object([
    "status": .whole(from: 0), "statusText": .text, "httpVersion": .text, "cookies": .list(cookie),
    "headers": .list(pair), "content": content, "redirectURL": .text, "headersSize": .whole(from: -1),
    "bodySize": .whole(from: -1),
  ])
  private static let timings = JSONShape.object(
    ["send": .number(from: 0), "wait": .number(from: 0), "receive": .number(from: 0)],
    optional: ["blocked": .number(from: -1), "dns": .number(from: -1), "connect": .number(from: -1)]
  )
  private static let entry = JSONShape.object([
    "startedDateTime": .date, "time": .number(from: 0), "request": request, "response": response,
    "cache": .object([:]), "timings": timings,
  ])
  private static let creator = JSONShape.object(["name": .text, "version": .text])
  private static let root = JSONShape.object([
    "log": .object(["version": .text, "creator": creator, "entries": .list(entry)])
  ])

  /// What is wrong, with its place.
  static func faults(in file: JSONValue) -> [String] {
    let entries = file["log"]?["entries"]?.arrayValue ?? []
    return root.faults(in: file)
      + entries.compactMap { entry in
        let phases = ["send", "wait", "receive"].compactMap { entry["timings"]?[$0]?.doubleValue }
        let sum = phases.reduce(0, +)
        return abs(sum - (entry["time"]?.doubleValue ?? -1)) > 0.001 ? "time is not the sum of timings" : nil
      }
  }
}
