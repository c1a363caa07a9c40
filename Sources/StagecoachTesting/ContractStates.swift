public import StagecoachFixtures

/// The handlers of provider states for the tests that the plug-in `FixtureContractTests` generates: none.
///
/// A test target with handlers declares a function of the same name, which is called in place of this one. It may be
/// `async` and throw. The handlers are those of `Verification`. If an exchange requires a state, the generated tests run
/// one after the other.
///
/// ```swift
/// import Stagecoach
/// import StagecoachTesting
///
/// func contractStates() -> [String: ProviderStateHandler] {
///   ["a user exists": ProviderStateHandler { parameters in ["id": 42] }]
/// }
/// ```
@_disfavoredOverload  // A function of the target that throws, and is not async, would be ambiguous otherwise.
public func contractStates() -> [String: ProviderStateHandler] { [:] }
