#if Tool
  import Foundation
  import Testing

  @Suite struct TourTests {
    private static let count = 12

    @Test func everyStepSucceeds() async throws {
      let outcome = try await ToolProcess.run("tour")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.isEmpty)
      #expect(outcome.text.hasSuffix("\n\(Self.count) of \(Self.count) steps went as told\n"))
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 250)
      for line in lines { #expect(line.count <= 80, "\(line)") }
      for step in outcome.text.split(separator: #/\n\n(?= ?[0-9]+  )/#) {
        #expect(step.count { $0 == "\n" } < 26, "\(step)")
      }
    }

    @Test func everyStepNoticesAFaultyService() async throws {
      let outcome = try await ToolProcess.run("tour", "--fault")
      #expect(outcome.status == 1, "\(outcome)")
      let numbers = (1...Self.count).map(String.init).joined(separator: ", ")
      #expect(
        outcome.text.hasSuffix("\n0 of \(Self.count) steps went as told; not so: \(numbers)\n"),
        "\(outcome)"
      )
    }

    @Test func runsOneStep() async throws {
      let outcome = try await ToolProcess.run("tour", "3")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.contains("\n 3  A redirect is followed\n"))
      #expect(outcome.text.hasSuffix("\n1 of 1 steps went as told\n"))
    }

    /// The lines of Swift that are shown stand in the sources twice: as text, and as code.
    @Test func showsTheSwiftThatRuns() async throws {
      let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/StagecoachTool/Tour")
        .standardized
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined().filter {
        !$0.isWhitespace
      }
      let outcome = try await ToolProcess.run("tour")
      var statements: [String] = []
      for line in outcome.text.split(separator: "\n") where line.hasPrefix("    │ ") {
        let line = line.dropFirst(6)
        // What is indented continues a statement.
        if line.first == " ", !statements.isEmpty {
          statements[statements.count - 1] += line
        } else {
          statements.append(String(line))
        }
      }
      #expect(statements.count > Self.count)
      for statement in statements {
        let text = statement.filter { !$0.isWhitespace }
        let count = source.ranges(of: text).count
        #expect(count >= 2, "\(statement)")
      }
    }

    @Test(arguments: [[], ["--fault"]])
    func theVerdictNeedsNoReader(options: [String]) async throws {
      let outcome = try await ToolProcess.runWithoutReader((["tour", "1"] + options).joined(separator: " "))
      #expect(outcome == "status \(options.count)\n")
    }
  }
#endif
