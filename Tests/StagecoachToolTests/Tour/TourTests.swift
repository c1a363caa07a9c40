#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  /// One at a time: each has steps that measure time.
  @Suite(.serialized) struct TourTests {
    @Test func everyStepPasses() async throws {
      let outcome = try await ToolProcess.run("tour")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty)
      #expect(!outcome.text.contains("\u{1b}"))
      #expect(!outcome.text.contains("FAILED"))
      let names = try await stepNames()
      #expect(names.count >= 12)
      #expect(names.allSatisfy { outcome.text.contains($0) })
      #expect(outcome.text.contains("\(names.count) of \(names.count) steps passed"))
      for stage in ["Validation", "AsyncHTTPClient", "JSONResponseSerializer"] {
        #expect(outcome.text.contains(stage))
      }
    }

    /// Each fault has to be noticed, and by no more steps than can have to do with it.
    @Test(arguments: Origin.Fault.allCases)
    func aPlantedFaultIsNoticedAndNamed(fault: Origin.Fault) async throws {
      let outcome = try await ToolProcess.run("tour", "--fault", fault.rawValue)
      #expect(outcome.status == 1, "\(outcome)")
      let summary = try #require(outcome.text.split(separator: "\n").last)
      let failed = try #require(summary.split(separator: "failed: ").last).split(separator: ", ").map(
        String.init
      )
      let names = try await stepNames()
      #expect(!failed.isEmpty && failed.count <= 5 && failed.allSatisfy(names.contains), "\(summary)")
      #expect(failed.allSatisfy { outcome.text.contains("\($0) ") })
      #expect(outcome.text.contains("FAILED"))
    }

    @Test func aFaultInTheEnvironmentIsNoticed() async throws {
      let environment = ["STAGECOACH_ORIGIN_FAULT": "dropsQuery"]
      let outcome = try await ToolProcess.run("tour", "--only", "query", environment: environment)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.text.contains("failed: query-styles"))
    }

    @Test func theVerdictNeedsNoReader() async throws {
      let good = try await ToolProcess.runWithoutReader("tour --only query")
      #expect(good == "status 0\n")
      let bad = try await ToolProcess.runWithoutReader("tour --only query --fault dropsQuery")
      #expect(bad == "status 1\n")
    }

    @Test func anInterruptedTourIs130() async throws {
      let tool = try ToolProcess(["tour"])
      try await Task.sleep(for: .milliseconds(300))
      tool.interrupt()
      let outcome = try await tool.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(!outcome.text.contains("steps passed"))
    }

    private func stepNames() async throws -> [String] {
      let list = try await ToolProcess.run("tour", "--list")
      #expect(list.status == 0)
      return list.text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    }
  }
#endif
