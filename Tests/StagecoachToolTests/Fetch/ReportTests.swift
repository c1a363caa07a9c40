#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  @Suite struct ReportTests {
    private struct Report: Decodable {
      struct Sent: Decodable {
        var method: String
        var url: String
        var fields: [[String]]
      }

      struct Received: Decodable {
        var status: Int
        var fields: [[String]]
        var version: String?
      }

      struct Stage: Decodable {
        var stage: String
        var entered: Double
        var left: Double?
        var outcome: String?
      }

      struct Timings: Decodable {
        var requestSent: Double?
        var headReceived: Double?
        var bodyEnd: Double?
        var total: Double
      }

      struct Failure: Decodable {
        var stage: String
        var kind: String
        var message: String
      }

      var request: Sent?
      var response: Received?
      var body: String?
      var bodyEncoding: String?
      var stages: [Stage]
      var timings: Timings?
      var error: Failure?
    }

    private func report(_ outcome: ToolProcess.Outcome) throws -> (Report, keys: Set<String>) {
      let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      return (try JSONDecoder().decode(Report.self, from: outcome.output), Set(object.keys))
    }

    private static let always: Set<String> = ["request", "response", "stages", "timings", "error"]

    /// Request and response belong together.
    @Test func reportsTheLastHopOfARedirect() async throws {
      let origin = try await Origin.start()
      let url = "\(origin.url)/redirect/302?to=/json"
      let outcome = try await ToolProcess.run("fetch", url, "--report", "json")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.text.contains(#""url": "\#(origin.url)/json""#)
          || outcome.text.contains(#""url":"\#(origin.url)/json""#)
      )
      try await origin.stop()
    }

    @Test func reportsAValue() async throws {
      let origin = try await Origin.start()
      let url = "\(origin.url)/json?token=hidden"
      let outcome = try await ToolProcess.run(
        "fetch",
        url,
        "--report",
        "json",
        "-H",
        "X-b: 1",
        "-H",
        "X-b: 2"
      )
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      let (report, keys) = try report(outcome)
      #expect(keys == Self.always.union(["value"]))
      let request = try #require(report.request)
      #expect(request.method == "GET")
      #expect(request.url == "\(origin.url)/json?token=[redacted]")
      #expect(request.fields.filter { $0[0] == "X-b" } == [["X-b", "1"], ["X-b", "2"]])
      #expect(report.response?.status == 200)
      #expect(report.response?.version == "HTTP/1.1")
      #expect(report.response?.fields.contains(["Content-Type", "application/json"]) == true)
      let stages = [
        "Validation", "ContentDecoding", "Redirects", "Retry", "Authentication", "Cookies", "AsyncHTTPClient",
      ]
      #expect(report.stages.prefix(stages.count).map(\.stage) == stages)
      #expect(report.stages.first?.outcome == "200 OK")
      #expect(report.stages.allSatisfy { $0.entered <= $0.left ?? 0 })
      let timings = try #require(report.timings)
      let order = [timings.requestSent, timings.headReceived, timings.bodyEnd, timings.total].compactMap {
        $0
      }
      #expect(order.count == 4 && order == order.sorted())
      #expect(report.error == nil)
      struct Value: Decodable { var value: [String: JSONNumberOrOther] }
      let value = try JSONDecoder().decode(Value.self, from: outcome.output)
      #expect(value.value["count"]?.int == 3)
    }

    private struct JSONNumberOrOther: Decodable {
      var int: Int?

      init(from decoder: any Decoder) throws {
        int = try? decoder.singleValueContainer().decode(Int.self)
      }
    }

    @Test func reportsBytes() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/bytes/251", "--report", "json")
      let (report, keys) = try report(outcome)
      #expect(keys == Self.always.union(["body", "bodyEncoding"]))
      #expect(report.bodyEncoding == "base64")
      #expect(report.body.flatMap { Data(base64Encoded: $0) } == Data(0..<251))
      let text = try await ToolProcess.run("fetch", "\(origin.url)/text", "--report", "json", "--as", "data")
      let (second, _) = try self.report(text)
      #expect(second.bodyEncoding == "text")
      #expect(second.body == Origin.sampleText(charset: "utf-8"))
    }

    @Test func reportsARefusedResponse() async throws {
      let origin = try await Origin.start()
      let outcome = try await ToolProcess.run("fetch", "\(origin.url)/status/404", "--report", "json")
      #expect(outcome.status == 1)
      let (report, keys) = try report(outcome)
      #expect(keys == Self.always.union(["body", "bodyEncoding"]))
      #expect(report.response?.status == 404)
      #expect(report.response?.version == "HTTP/1.1")
      #expect(report.body == #"{"status":404}"#)
      #expect(report.error?.stage == "Validation")
      #expect(report.error?.kind == "status")
      #expect(report.error?.message.contains("404") == true)
      #expect(report.stages.first?.outcome == "status")
      #expect(outcome.errors.contains("[status]"))
    }

    @Test func reportsAMissingResponse() async throws {
      // Not a port that the system may have given to somebody else by now.
      let url = "http://127.0.0.1:1/"
      let outcome = try await ToolProcess.run("fetch", url, "--report", "json")
      #expect(outcome.status == 3)
      let (report, keys) = try report(outcome)
      #expect(keys == Self.always)
      #expect(report.request?.url == url)
      #expect(report.response == nil)
      #expect(report.error?.stage == "AsyncHTTPClient")
      #expect(report.error?.kind == "connectionRefused")
    }

    @Test func reportsAFile() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/bytes/10",
        "--report",
        "json",
        "--output",
        scratch.path("file").path
      )
      #expect(outcome.status == 0)
      let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      #expect(Set(object.keys) == Self.always.union(["body"]))
      let body = try #require(object["body"] as? [String: Any])
      #expect(body["file"] as? String == scratch.path("file").path)
      #expect(body["bytes"] as? Int == 10)
      #expect((object["response"] as? [String: Any])?["status"] as? Int == 200)
      #expect(try Data(contentsOf: scratch.path("file")) == Data(0..<10))
    }

    @Test func reportsElementsInAFile() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let arguments = ["--records", "feed/entry", "--report", "json", "--output", scratch.path("file").path]
      let outcome = try await ToolProcess(["fetch", "\(origin.url)/feed.xml"] + arguments).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      let count = try Data(contentsOf: scratch.path("file")).count
      #expect(count > 0)
      #expect((object["body"] as? [String: Any])?["bytes"] as? Int == count)
    }

    @Test func reportsAValueInAFile() async throws {
      let origin = try await Origin.start()
      let scratch = try ScratchFolder()
      let arguments = ["--as", "json", "--report", "json", "--output", scratch.path("file").path]
      let outcome = try await ToolProcess(["fetch", "\(origin.url)/json"] + arguments).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      let (_, keys) = try report(outcome)
      #expect(keys == Self.always.union(["value"]))
      #expect(try scratch.names == ["file"])
    }

    @Test func reportsAMalformedURL() async throws {
      let outcome = try await ToolProcess.run("fetch", "nonsense", "--report", "json")
      #expect(outcome.status == 2)
      let (report, _) = try report(outcome)
      #expect(report.request == nil)
      #expect(report.error?.kind == "invalidRequest")
    }
  }
#endif
