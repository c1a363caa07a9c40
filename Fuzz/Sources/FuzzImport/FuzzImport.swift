import Stagecoach
import StagecoachFixtures
import Synchronization

/// Any octets are refused or give a scenario that is the same after an export and an import: HAR, mappings of WireMock,
/// Pact, dumps of curl, exchanges of a file `.http`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let octets = Bytes(Array(UnsafeBufferPointer(start: start, count: count)))
  guard let scenario = imported(octets) else { return 0 }
  do {
    // What is found in the first reading is a placeholder in all others.
    let export = try scenario.har()
    guard let again = imported(export.bytes), let third = imported(try again.har().bytes) else {
      preconditionFailure("an export is not imported")
    }
    precondition(again == third, "the scenario changed")
    precondition(again.exchanges.map(\.id) == scenario.exchanges.map(\.id), "identifiers changed")
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}

private func imported(_ octets: Bytes) -> Scenario? {
  let result = Result()
  let loop = Loop()
  Task(executorPreference: loop) {
    let scenario = try? await Scenario(importing: octets)
    result.scenario.withLock { $0 = .some(scenario) }
  }
  loop.run { result.scenario.withLock { $0 != nil } }
  return result.scenario.withLock { $0 ?? nil }
}

private final class Result: Sendable {
  let scenario = Mutex<Scenario??>(nil)
}

/// Runs tasks on the thread of the fuzzer: what is freed on another one is taken for a leak.
private final class Loop: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func run(until isDone: () -> Bool) {
    while !isDone() {
      let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
