#if AsyncHTTPClient && Tool
  import Stagecoach
  import StagecoachConformance
  import Testing

  /// Faults planted one by one in a transport that has none: the kit has to notice each of them.
  @Suite struct FaultTests {
    private static let checks: [Check] = {
      let all = (try? Check.all()) ?? []
      let numbers = Set(Fault.all.flatMap { $0.checks.map(\.key) })
      return all.filter { numbers.contains(String($0.number)) }
    }()

    /// In parallel, since most faults do not depend on time. A busy machine may hide the few that do, so that a check
    /// has ten runs.
    @Test(arguments: Fault.all)
    func theChecksNoticeEachFault(fault: Fault) async throws {
      for (number, failure) in fault.checks {
        let check = try #require(Self.checks.first { $0.number == number })
        var result = await fault.subject.run(check, within: fault.patience)
        for _ in 0..<9 where result.outcome != .fail || !result.reason.contains(failure) {
          result = await fault.subject.run(check, within: fault.patience)
        }
        #expect(result.outcome == .fail, "\(check) does not notice that \(fault.name)")
        #expect(result.reason.contains(failure), "\(check): \(result.reason)")
      }
    }

    @Test func eachFaultHasANameAndACheck() {
      #expect(Fault.all.allSatisfy { !$0.checks.isEmpty })
      #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    }

    /// A transport that knows the first address of a host only.
    @Test func whatNeedsTwoAddressesDoesNotPassWithOne() async throws {
      let check = try #require(try Check.all().first { $0.number == "090" })
      let fault = Fault.setup("one address", noticedBy: [:]) {
        $0.connections.addresses["localhost"] = "127.0.0.1"
      }
      let result = await fault.subject.run(check)
      #expect(result.outcome == .fail || result.reason.contains("localhost does not have both"), "\(result)")
    }

    @Test(arguments: checks)
    func theChecksHoldWithoutAFault(check: Check) async {
      var result = await Fault.none.subject.run(check)
      // TransportTests runs them one at a time, and only once.
      for _ in 0..<2 where result.outcome == .fail { result = await Fault.none.subject.run(check) }
      // A check whose capability only a fault declares is not claimed, or more than promised.
      #expect(result.outcome != .fail, "\(check): \(result.reason)")
    }
  }
#endif
