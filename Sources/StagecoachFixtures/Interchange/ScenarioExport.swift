public import StagecoachCore

/// A scenario in the format of another tool.
public struct ScenarioExport: Sendable, Hashable {
  /// The content of the file.
  public var bytes: Bytes
  /// What the format cannot hold, a sentence each, such as `3 exchanges lost their trailers`.
  public var losses: [String]
}
