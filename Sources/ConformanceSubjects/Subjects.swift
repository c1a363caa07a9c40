import Stagecoach
package import StagecoachConformance
import StagecoachFixtures

/// The transports of this package as subjects of the conformance kit, with what is known of them.
package enum Subjects {
  /// All that are compiled in.
  package static let all: [Subject] = {
    var all = [handler, handlerPipeline, handlerFaults, urlSession, urlSessionPipeline]
    #if AsyncHTTPClient
      all += [asyncHTTPClient, asyncHTTPClientPipeline]
    #endif
    #if CURL
      all += [curl, curlPipeline]
    #endif
    return all
  }()

  /// Recordings above each transport, and what is replayed of them.
  package static let fixtures: [Subject] = {
    var all = [handler.recorded, replay, urlSession.recorded]
    #if AsyncHTTPClient
      all.append(asyncHTTPClient.recorded)
    #endif
    #if CURL
      all.append(curl.recorded)
    #endif
    return all
  }()

  /// A closure in place of a server.
  package static let handler = Subject(inProcess: "Handler") { HandlerTransport($0) }

  /// The standard pipeline over a closure: what its stages do to messages, without an engine that could hide it.
  package static let handlerPipeline = Subject(
    inProcess: "Handler+Pipeline",
    deviations: decisions
  ) { chain(over: HandlerTransport($0)) }

  /// A stage that injects faults and has none planned: nobody should notice it.
  package static let handlerFaults = Subject(inProcess: "Handler+FaultInjection") { handler in
    Pipeline(over: HandlerTransport(handler)) { FaultInjection(.none) }
  }
}
