#if Logging || Metrics
  import HTTPTypes
  import StagecoachCore

  /// The status that the caller of an exchange gets, wherever the response is from: an answer of a cache has no head
  /// from the network.
  struct FinalStatus {
    private(set) var status: HTTPResponse.Status?
    /// The name of the outermost stage.
    private var outermost: String?
    /// How many stages of that name, which may be in the pipeline more than once, have been entered and not left.
    private var depth = 0
    private var hasReturned = false

    mutating func note(_ kind: Event.Kind) {
      // What comes later is of a validation in the background, or of an attempt that lost.
      guard !hasReturned else { return }
      switch kind {
      case .stageEntered(let name):
        outermost = outermost ?? name
        if name == outermost { depth += 1 }
      case .stageReturned(let name, let status):
        self.status = status
        leave(name)
      case .stageFailed(let name, _): leave(name)
      default: break
      }
    }

    private mutating func leave(_ name: String) {
      guard name == outermost else { return }
      depth -= 1
      hasReturned = depth == 0
    }
  }
#endif
