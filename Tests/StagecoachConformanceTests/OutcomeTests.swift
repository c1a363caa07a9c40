import HTTPTypes
import Stagecoach
import Testing

@testable import StagecoachConformance

/// What the kit makes of checks that hold, fail, hang and cannot be run.
@Suite struct OutcomeTests {
  private static let holds = Check("901-holds", "it holds") { _ in }
  private static let fails = Check("902-fails", "it does not hold") { _ in throw CheckFailure("it is wrong") }
  private static let hangs = Check("903-hangs", "it does not end") { _ in
    // Deaf to cancellation, as an engine may be.
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  private static let limit = Duration.milliseconds(200)

  private func subject(deviating number: String? = nil, failure: String? = "is wrong") -> Subject {
    let deviation = number.map {
      Subject.Deviation($0, failure: failure, "for a reason", reference: "Engine.swift")
    }
    return Subject("Scripted", deviations: deviation.map { [$0] } ?? []) { _ in
      HandlerTransport { _ in Response(.ok) }
    }
  }

  private func claimed(_ check: Check, _ capability: TransportCapabilities) -> Check {
    Check(check.id, check.title, level: .capability, needs: capability, body: check.body)
  }

  @Test func whatHoldsPasses() async {
    let result = await subject().run(Self.holds)
    #expect(result.outcome == .pass)
    #expect(result.reason.isEmpty)
    #expect(result.transport == "Scripted")
    #expect(result.check.id == "901-holds")
  }

  @Test func whatDoesNotHoldFailsWithItsReason() async {
    let result = await subject().run(Self.fails)
    #expect(result.outcome == .fail)
    #expect(result.reason == "it is wrong")
  }

  @Test func aListedFailureIsADeviationWithReasonAndReference() async {
    let result = await subject(deviating: "902").run(Self.fails)
    #expect(result.outcome == .deviation)
    #expect(result.reason == "for a reason [Engine.swift]")
  }

  @Test func aListedFailureThatIsAnotherOneFails() async {
    let result = await subject(deviating: "902", failure: "is late").run(Self.fails)
    #expect(result.outcome == .fail)
    #expect(result.reason == "the failure differs from the listed one (\"is late\"): it is wrong")
  }

  @Test func aDeviationOfAnotherCheckDoesNotCount() async {
    #expect(await subject(deviating: "902b").run(Self.fails).outcome == .fail)
    #expect(await subject(deviating: "90").run(Self.fails).outcome == .fail)
  }

  @Test func whatHoldsThoughADeviationIsListedFails() async {
    let result = await subject(deviating: "901").run(Self.holds)
    #expect(result.outcome == .fail)
    #expect(result.reason.contains("the requirement is met now"))
  }

  @Test func anUndeclaredCapabilityIsNotClaimedOrOverDelivers() async {
    #expect(await subject().run(claimed(Self.fails, .http2)).outcome == .notClaimed)
    #expect(await subject().run(claimed(Self.holds, .http2)).outcome == .overDelivers)
    #expect(await subject().run(claimed(Self.holds, .exactFields)).outcome == .pass)
    #expect(await subject().run(claimed(Self.fails, .exactFields)).outcome == .fail)
    #expect(await subject().run(claimed(Self.holds, [.exactFields, .http2])).outcome == .overDelivers)
  }

  @Test func aCheckThatNeedsAWireIsNotClaimedWithoutOne() async {
    let subject = Subject(inProcess: "Scripted") { HandlerTransport($0) }
    let result = await subject.run(Self.fails)
    #expect(result.outcome == .notClaimed)
    #expect(result.reason == "the transport has no wire")
    let both = Check("904-both", "it runs anywhere", runsInProcess: true) { trial in
      try require(trial.inProcess { _ in Response(.ok) } != nil, "there is a wire")
    }
    #expect(await subject.run(both).outcome == .pass)
  }

  @Test func whatCannotBeRunIsNotClaimedWhateverIsListed() async {
    let check = Check("905-absent", "it is not in this build") { _ in throw CheckNotRun(reason: "no servers")
    }
    for subject in [subject(), subject(deviating: "905")] {
      let result = await subject.run(check)
      #expect(result.outcome == .notClaimed)
      #expect(result.reason == "no servers")
    }
  }

  @Test func whatEndsTheProcessIsNotRun() async {
    let runs = Counter()
    let check = Check("906-ends", "it ends the process") { _ in runs.add(1) }
    let result = await subject(deviating: "906", failure: nil).run(check)
    #expect(result.outcome == .deviation)
    #expect(runs.value == 0)
  }

  @Test func whatHangsFailsEvenIfADeviationIsListed() async {
    for subject in [subject(), subject(deviating: "903")] {
      let start = ContinuousClock.now
      let result = await subject.run(Self.hangs, within: Self.limit)
      #expect(result.outcome == .fail)
      #expect(result.reason.contains("did not end within"))
      #expect(ContinuousClock.now - start < Check.patience)
    }
    #expect(await subject().run(claimed(Self.hangs, .http2), within: Self.limit).outcome == .notClaimed)
  }

  @Test func aCheckThatEndsInTimeDoesNotWaitForItsLimit() async {
    let start = ContinuousClock.now
    #expect(await subject().run(Self.holds, within: .seconds(3600)).outcome == .pass)
    #expect(ContinuousClock.now - start < Check.patience)
  }

  @Test func aTransportThatCannotBeMadeFails() async {
    let subject = Subject("Scripted") { _ in throw CheckFailure("no engine") }
    let result = await subject.run(Self.holds)
    #expect(result.outcome == .fail)
    #expect(result.reason == "the transport could not be created: no engine")
  }

  @Test func whatACheckMadeIsEndedWithIt() async throws {
    let transport = HandlerTransport { _ in Response(.ok) }
    let subject = Subject("Scripted") { _ in transport }
    let check = Check("907-ends", "it is shut down") { trial in _ = try trial.transport() }
    #expect(await subject.run(check).outcome == .pass)
    let error = await #expect(throws: ExchangeError.self) { try await transport.send(.get("http://test/")) }
    #expect(error?.kind == .shutdown)
  }
}
