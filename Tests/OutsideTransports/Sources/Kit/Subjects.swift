import StagecoachConformance
import StagecoachCore

/// The subjects of this package; what is known of CURL is copied beside this file.
enum Subjects {
  /// The transport of this package.
  static let socket = Subject("Socket", deviations: deviations) { setup in
    SocketTransport(clock: setup.clock)
  }

  /// What it leaves out, with the checks that need it.
  private static let deviations: [Subject.Deviation] =
    leavesOut("it connects to IPv4 addresses only", "is not an IPv4 address", ["009", "009b", "104a"])
    + leavesOut("it resolves no names", "expected a failure of kind [\"nameResolution\"]", ["010"])
    + leavesOut("it makes a connection for each request", "connections", ["058", "068", "069", "082", "089"])
    + leavesOut("it makes a connection for each request", "cost its connection", ["084b"])
    + leavesOut("it limits no connections", "requests were under way at a time", ["087"])
    + leavesOut("it limits no connections", "it was answered with 200 and 2 bytes", ["097d"])
    + leavesOut("it has no TLS", "unsupported", ["094e", "097a", "104e", "105a", "105d"])
    + leavesOut("it has no TLS", "did not begin with a handshake", ["089b"])
    + leavesOut("nothing has to be shut down", "the call under way ended with timeout.head", ["093"])

  private static func leavesOut(_ reason: String, _ failure: String?, _ checks: [String]) -> [Subject
    .Deviation]
  {
    checks.map { Subject.Deviation($0, failure: failure, reason, reference: "SocketTransport.swift") }
  }

  /// Only the transports themselves are looked at here.
  static func pipeline(
    over subject: Subject,
    except foremost: Set<String>,
    _ make: @escaping @Sendable (Subject.Setup) throws -> any Transport
  ) -> Subject {
    subject
  }
}
