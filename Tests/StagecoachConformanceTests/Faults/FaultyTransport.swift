#if AsyncHTTPClient
  import Stagecoach
  @testable import StagecoachConformance
  import Synchronization

  /// A wrapper around a transport that has no fault, with one.
  struct FaultyTransport: TransportWrapper {
    /// The transport without the fault, and how to make more of them.
    final class Parts: Sendable {
      let inner: any Transport
      private let setup: Subject.Setup
      private let make: @Sendable (Subject.Setup) throws -> any Transport
      private let others = Mutex<[any Transport]>([])

      init(_ setup: Subject.Setup, _ make: @escaping @Sendable (Subject.Setup) throws -> any Transport) throws
      {
        inner = try make(setup)
        self.setup = setup
        self.make = make
      }

      /// Another transport, which is shut down with the first.
      func another(_ change: (inout Subject.Setup) -> Void = { _ in }) throws -> any Transport {
        var setup = setup
        change(&setup)
        let transport = try make(setup)
        others.withLock { $0.append(transport) }
        return transport
      }

      fileprivate func shutdown() async {
        for transport in others.withLock({ $0 }) { await transport.shutdown() }
      }
    }

    private let fault: Fault
    private let parts: Parts
    private let inner: Fault.Send

    init(_ fault: Fault, _ parts: Parts) {
      self.fault = fault
      self.parts = parts
      inner = fault.makeSend(parts)
    }

    var transport: any Transport { parts.inner }

    var capabilities: TransportCapabilities {
      var capabilities = parts.inner.capabilities
      fault.declare(&capabilities)
      return capabilities
    }

    func send(_ request: Request) async throws -> Response { try await inner(request) }

    func shutdown() async {
      await fault.shutdown(parts)
      await parts.shutdown()
    }
  }
#endif
