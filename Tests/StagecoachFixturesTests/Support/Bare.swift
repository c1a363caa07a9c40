import Stagecoach

/// A chain that judges responses and does nothing else, so that each fault is seen once.
func bare(_ transport: any Transport) -> Pipeline {
  Pipeline(over: transport) { Validation() }
}
