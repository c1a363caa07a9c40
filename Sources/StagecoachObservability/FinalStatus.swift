#if Logging || Metrics
  import HTTPTypes
  import StagecoachCore

  /// The status that the caller of an exchange gets, wherever the response is from: an answer of a cache has no head
  /// from the network.
  struct FinalStatus {
    private(set) var status: HTTPResponse.Status?
    /// The name of the outermost stage.
    private var outermost: String?
    private var hasReturned = false

    mutating func note(_ kind: Event.Kind) {
      // What comes later is of a validation in the background, or of an attempt that lost.
      guard !hasReturned else { return }
      switch kind {
      case .stageEntered(let name): outermost = outermost ?? name
      case .stageReturned(let name, let status):
        self.status = status
        hasReturned = name == outermost
      case .stageFailed(let name, _): hasReturned = name == outermost
      default: break
      }
    }
  }
#endif
