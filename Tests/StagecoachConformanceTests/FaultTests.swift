#if AsyncHTTPClient && Tool
  import StagecoachConformance
  import Testing

  /// Faults planted one by one in a transport that has none: the kit is there to notice them.
  ///
  /// One at a time, as the checks of the kit are.
  @Suite(.serialized) struct FaultTests {
    private static let checks: [Check] = {
      let all = (try? Check.all()) ?? []
      let numbers = Set(Fault.all.flatMap { $0.checks.map(\.key) })
      return all.filter { numbers.contains(String($0.number)) }
    }()

    @Test(arguments: Fault.all)
    func isNoticed(fault: Fault) async throws {
      for (number, failure) in fault.checks {
        let check = try #require(Self.checks.first { $0.number == number })
        var result = await fault.subject.run(check, within: fault.patience)
        // Where time decides, a machine that stood still may have hidden it.
        for _ in 0..<2 where result.outcome != .fail {
          result = await fault.subject.run(check, within: fault.patience)
        }
        #expect(result.outcome == .fail, "\(check) does not notice that \(fault.name)")
        #expect(result.reason.contains(failure), "\(check): \(result.reason)")
      }
    }

    @Test(arguments: checks)
    func isNotThereWithoutAFault(check: Check) async {
      // Some of these are declared by a fault alone.
      let result = await Fault.none.subject.run(check)
      #expect(result.outcome != .fail, "\(check): \(result.reason)")
    }
  }
#endif
