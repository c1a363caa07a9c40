extension TimeSource {
  /// Calls a closure at an instant, unless the task that is returned is cancelled before.
  package func timer(
    at instant: ContinuousClock.Instant,
    _ fire: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    Task {
      guard (try? await sleep(until: instant)) != nil else { return }
      fire()
    }
  }
}
