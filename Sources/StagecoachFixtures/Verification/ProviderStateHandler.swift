public import StagecoachCore

/// Puts a provider into a state before a request, such as "a user 42 exists", and back.
///
/// ```swift
/// import Stagecoach
/// import StagecoachFixtures
///
/// func handler(of users: Users) -> ProviderStateHandler {
///   ProviderStateHandler { parameters in
///     let id = await users.insert(parameters["name"]?.stringValue ?? "Ada")
///     return ["id": .string(id)]
///   } tearDown: { _ in
///     await users.removeAll()
///   }
/// }
///
/// actor Users {
///   func insert(_ name: String) -> String { "42" }
///   func removeAll() {}
/// }
/// ```
public struct ProviderStateHandler: Sendable {
  let setUp: @Sendable (JSONObject) async throws -> JSONObject
  let tearDown: @Sendable (JSONObject) async throws -> Void

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - setUp: Called before the request with the parameters of the state. The values that it returns replace examples
  ///     in the request, where the contract says so.
  ///   - tearDown: Called after the reply with the parameters of the state, unless a set-up failed.
  public init(
    setUp: @escaping @Sendable (JSONObject) async throws -> JSONObject,
    tearDown: @escaping @Sendable (JSONObject) async throws -> Void = { _ in }
  ) {
    self.setUp = setUp
    self.tearDown = tearDown
  }
}

/// The states of an interaction, set up and torn down in order.
struct InteractionStates {
  let states: [ProviderState]
  let handler: (_ name: String) -> ProviderStateHandler?

  /// What setting up led to.
  struct Result {
    /// The values that handlers returned.
    var values = JSONObject()
    var warnings: [String] = []
    var failure: String?
  }

  func setUp() async throws -> Result {
    var result = Result()
    for state in states {
      guard let handler = handler(state.name) else {
        if !state.name.isEmpty {
          result.warnings.append("there is no handler for the provider state \"\(state.name)\"")
        }
        continue
      }
      do {
        for member in try await handler.setUp(state.parameters).members {
          result.values[member.key] = member.value
        }
      } catch {
        if error is CancellationError, Task.isCancelled { throw error }
        result.failure = Self.failure("set-up", of: state, error)
        break
      }
    }
    return result
  }

  /// - Returns: The failure, if there is one.
  func tearDown() async throws -> String? {
    var failure: String?
    for state in states {
      do {
        try await handler(state.name)?.tearDown(state.parameters)
      } catch {
        if error is CancellationError, Task.isCancelled { throw error }
        failure = failure ?? Self.failure("tear-down", of: state, error)
      }
    }
    return failure
  }

  private static func failure(_ action: String, of state: ProviderState, _ error: any Error) -> String {
    let text = (error as? ExchangeError)?.message ?? Format.describe(error)
    return "State change request failed: \(action) of \"\(state.name)\": \(text)"
  }
}
