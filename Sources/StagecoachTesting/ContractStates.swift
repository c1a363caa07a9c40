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

/// The redaction options of tests that the plug-in `FixtureContractTests` generates, and the values of secrets that
/// requests need: only what the file `redaction.json` names.
///
/// A test target declares a function of the same name, which is called in place of this one. It may be `async` and throw.
///
/// ```swift
/// import Foundation
/// import StagecoachTesting
///
/// func contractRedaction() -> RedactionOptions {
///   var options = RedactionOptions()
///   options.secrets["PASSWORD"] = ProcessInfo.processInfo.environment["TEST_PASSWORD"]
///   return options
/// }
/// ```
@_disfavoredOverload  // As above.
public func contractRedaction() -> RedactionOptions { RedactionOptions() }
