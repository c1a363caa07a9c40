import ConformanceSubjects
import Stagecoach
import StagecoachConformance
import Testing

/// What is listed of the transports of this package.
@Suite struct SubjectsTests {
  @Test func noTwoChecksShareANumber() throws {
    let numbers = try Check.all().map { String($0.number) }
    #expect(Set(numbers).count == numbers.count)
    for check in try Check.all() {
      #expect(check.id.prefix { $0.isNumber }.count == 3, "\(check.id)")
      #expect(!check.title.isEmpty)
    }
  }

  @Test func eachCapabilityIsNeededByACheck() throws {
    let needed = try Check.all().reduce(into: TransportCapabilities()) { $0.formUnion($1.needs) }
    let others = TransportCapabilities(rawValue: .max).subtracting(needed)
    // What every transport is held to, what a check asks for itself, and what nothing here can do.
    #expect(
      "\(others)"
        == "streamsRequestBodies, streamsResponseBodies, addsFields, wire, http3, cellularAccess, serviceTypes, pipelining"
    )
  }

  @Test(arguments: Subjects.all)
  func eachDeviationIsOfACheckAndIsListedOnce(subject: Subject) throws {
    let numbers = Set(try Check.all().map { String($0.number) })
    #expect(subject.deviations.filter { !numbers.contains($0.check) }.map(\.check) == [])
    #expect(Set(subject.deviations.map(\.check)).count == subject.deviations.count)
    for deviation in subject.deviations {
      #expect(!deviation.reason.isEmpty && !deviation.reference.isEmpty, "\(deviation.check)")
      // An empty phrase would be in every text.
      #expect(deviation.failure != "", "\(deviation.check)")
    }
  }

  /// A list of deviations that grows would make the table mean nothing.
  @Test func atMostATenthOfTheClaimedChecksDeviates() async throws {
    for subject in Subjects.all where ["AsyncHTTPClient", "CURL"].contains(subject.name) {
      let declared = try await subject.capabilities()
      let claimed = try Check.all().filter { declared.isSuperset(of: $0.needs) }
      let deviating = claimed.filter { check in subject.deviations.contains { $0.check == check.number } }
      #expect(deviating.count * 10 <= claimed.count, "\(subject): \(deviating.count) of \(claimed.count)")
      #expect(subject.deviations.allSatisfy { $0.failure != nil }, "\(subject)")
    }
  }
}
