import StagecoachTesting

struct NoDatabase: Error {}

func contractStates() throws -> [String: ProviderStateHandler] {
  ["a user was read": ProviderStateHandler { _ in throw NoDatabase() }]
}
