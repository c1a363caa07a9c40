import Stagecoach
import StagecoachConformance

extension Subjects {
  /// The standard pipeline over a transport: it deviates where the transport does, but for those checks that a stage
  /// makes hold, and where a stage decides.
  static func pipeline(
    over subject: Subject,
    except mended: Set<String> = [],
    _ make: @escaping @Sendable (Subject.Setup) throws -> any Transport
  ) -> Subject {
    let further = decisions.filter { decision in !subject.deviations.contains { $0.check == decision.check } }
    let left = subject.deviations.filter { !mended.contains($0.check) }
    return Subject("\(subject.name)+Pipeline", deviations: left + further) { setup in
      Pipeline.standard(over: try make(setup))
    }
  }

  private static let statuses = "Validation makes an error of a status that is no success"

  /// What a stage does on purpose, and a transport must not.
  static let decisions: [Subject.Deviation] = [
    Subject.Deviation("034c", statuses, reference: "Validation.swift"),
    Subject.Deviation("035", statuses, reference: "Validation.swift"),
    Subject.Deviation("035b", statuses, reference: "Validation.swift"),
    Subject.Deviation("037", statuses, reference: "Validation.swift"),
    Subject.Deviation("041", statuses, reference: "Validation.swift"),
    Subject.Deviation("044", "Retry repeats a request whose connection broke", reference: "Retry.swift"),
    Subject.Deviation("069", statuses, reference: "Validation.swift"),
    Subject.Deviation("109", "Redirects follows a redirect", reference: "Redirects.swift"),
  ]
}
