import StagecoachCore
import StagecoachStages

#if canImport(Network)
  import Dispatch
  import Network

  /// The default path, as the system reports it until it is cancelled.
  struct NetworkWatch: Sendable {
    private let monitor: NWPathMonitor

    init?(report: @escaping @Sendable (NetworkStatus) -> Void) {
      monitor = NWPathMonitor()
      monitor.pathUpdateHandler = { report(NetworkStatus($0)) }
      monitor.start(queue: DispatchQueue(label: "stagecoach.network"))
    }

    func cancel() { monitor.cancel() }
  }

  extension NetworkStatus {
    fileprivate init(_ path: NWPath) {
      // A path that a connection would bring up is not there yet.
      guard path.status == .satisfied else {
        self = .offline
        return
      }
      if path.usesInterfaceType(.wiredEthernet) {
        self = .wired
      } else if path.usesInterfaceType(.wifi) {
        self = .wifi
      } else if path.usesInterfaceType(.cellular) {
        self = .cellular
      } else {
        self = .other
      }
    }
  }
#endif
