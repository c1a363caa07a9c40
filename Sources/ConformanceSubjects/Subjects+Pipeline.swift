import Stagecoach
import StagecoachConformance

extension Subjects {
  /// The standard pipeline over a transport: it deviates where the transport does, but for those checks where a stage is
  /// first, to make them hold or to decide, and where a stage decides.
  static func pipeline(
    over subject: Subject,
    except foremost: Set<String> = [],
    _ make: @escaping @Sendable (Subject.Setup) throws -> any Transport
  ) -> Subject {
    let left = subject.deviations.filter { !foremost.contains($0.check) }
    let further = decisions.filter { decision in !left.contains { $0.check == decision.check } }
    return Subject("\(subject.name)+Pipeline", deviations: left + further) { setup in
      chain(over: try make(setup))
    }
  }

  /// The standard chain but for its stage that asks for coded content and decodes it: it changes responses on purpose,
  /// and has tests of its own.
  static func chain(over transport: any Transport) -> Pipeline {
    #if ContentCoding
      .standard(over: transport, contentDecoding: nil)
    #else
      .standard(over: transport)
    #endif
  }

  private static let statuses = "Validation makes an error of a status outside 200-299"

  /// Behavior that is intended in a stage and forbidden in a transport.
  static let decisions: [Subject.Deviation] = [
    Subject.Deviation("034c", failure: "unexpected status 417", statuses, reference: "Validation.swift"),
    Subject.Deviation("035", failure: "unexpected status 413", statuses, reference: "Validation.swift"),
    Subject.Deviation("035b", failure: "unexpected status 413", statuses, reference: "Validation.swift"),
    Subject.Deviation("037", failure: "unexpected status 413", statuses, reference: "Validation.swift"),
    Subject.Deviation("041", failure: "unexpected status 418", statuses, reference: "Validation.swift"),
    Subject.Deviation(
      "044",
      failure: "a connection that no script is for",
      "Retry repeats a request whose connection broke",
      reference: "Retry.swift"
    ),
    Subject.Deviation("069", failure: "unexpected status 304", statuses, reference: "Validation.swift"),
    Subject.Deviation(
      "109",
      failure: "redirect.tooMany",
      "Redirects follows a redirect",
      reference: "Redirects.swift"
    ),
  ]
}
