import StagecoachCore

/// The media types and statuses that a serializer accepts.
struct ArchivedAcceptance: Codable, Sendable, Equatable {
  var types: [String]
  var acceptsUndeclared: Bool
  /// The first status of each range, and the one after its last.
  var statuses: [[Int]]

  init(_ acceptance: Acceptance) {
    types = acceptance.mediaTypes.map(\.description)
    acceptsUndeclared = acceptance.acceptsUndeclared
    statuses = acceptance.statuses.map { [$0.lowerBound, $0.upperBound] }
  }

  var contradiction: String? {
    guard types.allSatisfy({ MediaRange($0) != nil }) else { return "an accepted type is not a media range" }
    guard statuses.allSatisfy({ $0.count == 2 && 0 <= $0[0] && $0[0] <= $0[1] && $0[1] <= 1000 }) else {
      return "an accepted status is not a range of statuses"
    }
    return nil
  }

  /// The acceptance of an archive that does not contradict itself.
  var restored: Acceptance {
    Acceptance(
      mediaTypes: types.compactMap { MediaRange($0) },
      acceptsUndeclared: acceptsUndeclared,
      statuses: statuses.filter { $0.count == 2 && $0[0] <= $0[1] }.map { $0[0]..<$0[1] }
    )
  }
}
