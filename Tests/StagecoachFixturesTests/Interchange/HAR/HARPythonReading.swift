import Foundation
import StagecoachFormats
import TestSupport

/// What Python reads of a HAR file: its own JSON and Base64, and the rules of the format, written a second time.
enum HARPythonReading {
  struct Entry: Decodable, Equatable {
    var method: String
    var url: String
    var status: Int
    var sent: [[String]]
    var received: [[String]]
    /// In Base64; `nil` if the file has no content.
    var body: String?
  }

  static func entries(of file: String) async throws -> [Entry] {
    let output = try await Python.run(script, input: Array(file.utf8))
    return try JSONDecoder().decode([Entry].self, from: output)
  }

  private static let script = #"""
    import base64, json, re, sys

    def fields(message):
        pairs = []
        for field in message.get("headers") or []:
            name, value = field if isinstance(field, list) else (field["name"], field["value"])
            if not name.startswith(":"):
                if re.fullmatch(r"content-length", name, re.I):
                    value = re.sub(r"(?<=\d),(?=\d{3}\b)", "", value)
                pairs += [[name, line.strip(" \t")] for line in value.split("\n")]
        return pairs

    def body(response):
        content = response.get("content") or {}
        if "text" not in content:
            return None
        if content.get("encoding") == "base64":
            data = base64.b64decode(content["text"])
        else:
            charset = re.search(r"charset=([\w-]+)", content.get("mimeType") or "")
            data = content["text"].encode(charset.group(1) if charset else "utf-8")
        return base64.b64encode(data).decode("ascii")

    log = json.loads(sys.stdin.buffer.read().decode("utf-8-sig"))["log"]
    json.dump([{"method": entry["request"]["method"], "url": entry["request"]["url"].split("#")[0],
      "status": entry["response"]["status"], "sent": fields(entry["request"]),
      "received": fields(entry["response"]), "body": body(entry["response"])} for entry in log["entries"]], sys.stdout)
    """#
}
