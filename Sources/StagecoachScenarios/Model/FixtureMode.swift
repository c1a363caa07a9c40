/// The source of replies in a test: a recording, a live service, or both.
///
/// A mode is chosen, in this order, by the environment variable `STAGECOACH_FIXTURES_MODE`, by the variable `CI`, which
/// forces a replay, by the call or the trait, and by `policy.mode` of the scenario. The default is a replay.
public enum FixtureMode: String, Sendable, Hashable, CaseIterable {
  /// Replies come from the recording. A request that was not recorded is an error.
  case replay
  /// Recorded replies are replayed, and other requests are sent to the service and recorded.
  case recordMissing
  /// The requests are sent to the service and recorded if there is no recording yet; otherwise as ``replay``.
  case recordOnce
  /// The requests are sent to the service, and the recording is replaced.
  case rerecord
  /// The requests are sent to the service. Nothing is read or written.
  case live
  /// The requests are sent to the service, and the replies are compared with the recorded ones. Nothing is written.
  case verify
}
