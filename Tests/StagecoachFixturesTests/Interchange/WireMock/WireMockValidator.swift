import StagecoachFormats

/// Checks the members and types of mappings, as WireMock's documentation names them.
enum WireMockValidator {
  private static let single = JSONShape.either(
    .object(["equalTo": .text]),
    .either(.object(["matches": .text]), .object(["contains": .text]))
  )
  private static let pattern = JSONShape.either(single, .object(["hasExactly": .list(single)]))
  private static let body = JSONShape.either(
    single,
    .either(
      .object(["equalToJson": .either(.text, .any)]),
      .either(.object(["equalToXml": .text]), .object(["binaryEqualTo": .text]))
    )
  )
  private static let request = JSONShape.object(
    ["method": .text],
    optional: [
      "url": .text, "urlPath": .text, "urlPathPattern": .text, "queryParameters": .values(pattern),
      "headers": .values(pattern),
      "bodyPatterns": .list(body),
    ]
  )
  private static let answer = JSONShape.object(
    ["status": .whole(from: 200)],
    optional: [
      "statusMessage": .text, "headers": .values(.either(.text, .list(.text))), "body": .text,
      "base64Body": .text,
      "fixedDelayMilliseconds": .whole(from: 0),
      "chunkedDribbleDelay": .object(["numberOfChunks": .whole(from: 1), "totalDuration": .whole(from: 0)]),
    ]
  )
  private static let fault = JSONShape.object(["fault": .text], optional: ["status": .whole(from: 200)])
  private static let mapping = JSONShape.object(
    ["request": request, "response": .either(answer, fault)],
    optional: [
      "name": .text, "scenarioName": .text, "requiredScenarioState": .text, "newScenarioState": .text,
    ]
  )
  private static let root = JSONShape.object([
    "mappings": .list(mapping), "meta": .object(["total": .whole(from: 0)]),
  ])
  private static let faults: Set<String> = [
    "CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE",
  ]

  /// What is wrong, with its place.
  static func faults(in file: JSONValue) -> [String] {
    let mappings = file["mappings"]?.arrayValue ?? []
    let response = mappings.compactMap { $0["response"] }
    return root.faults(in: file)
      + response.filter { $0["body"] != nil && $0["base64Body"] != nil }.map { "two bodies: \($0)" }
      + response.compactMap { $0["fault"]?.stringValue }.filter { !faults.contains($0) }
      + mappings.compactMap { $0["request"] }
      .filter { request in ["url", "urlPath", "urlPathPattern"].count { request[$0] != nil } != 1 }.map {
        "not one path: \($0)"
      }
  }
}
