import Stagecoach
package import StagecoachConformance

/// The transports of this package as subjects of the conformance kit, with what is known of them.
package enum Subjects {
  /// All that are compiled in.
  package static let all: [Subject] = {
    var all = [handler, urlSession, urlSessionPipeline]
    #if AsyncHTTPClient
      all += [asyncHTTPClient, asyncHTTPClientPipeline]
    #endif
    #if CURL
      all += [curl, curlPipeline]
    #endif
    return all
  }()

  /// A closure in place of a server.
  package static let handler = Subject(inProcess: "Handler") { HandlerTransport($0) }
}
