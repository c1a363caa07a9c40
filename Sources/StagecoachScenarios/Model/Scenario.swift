public import StagecoachFormats

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Recorded exchanges with an HTTP service, in order, with the rules of their replay.
///
/// A scenario is a folder: `scenario.json`, and files with the bodies that are too long or too binary for it.
///
/// ```swift
/// let scenario = try Scenario(folder: "Fixtures/users/get-user")
/// for exchange in scenario.exchanges { print(exchange.id, exchange.request.method) }
/// ```
public struct Scenario: Sendable, Hashable {
  /// The name and version of the format in `scenario.json`.
  public static let format = "stagecoach-scenario/1"

  /// The schema that the manifest names for editors.
  package var schema: String?
  /// A title for reports.
  public var title: String?
  /// How the scenario was recorded; `nil` if it was written by hand.
  public var recording: Recording?
  /// The time after which a recording should be renewed.
  public var expires: Date?
  /// How exchanges are taken in a replay.
  public var policy = Policy()
  /// The time that a replay starts at.
  public var clock: Date?
  /// The seed of random numbers in a replay.
  public var seed: UInt64?
  /// Short names of origins, in their order: `{api}` at the start of a target stands for the origin of `api`.
  public var origins: [Alias] = []
  /// Rules of matching that hold for all exchanges.
  public var defaults: [Rule] = []
  /// The exchanges, in the order of their requests.
  public var exchanges: [Exchange] = []

  /// Creates an empty scenario.
  public init(title: String? = nil) {
    self.title = title
  }

  /// How a scenario was recorded.
  public struct Recording: Sendable, Hashable {
    /// The time of the first request, to the second.
    public var date: Date?
    /// The name and version of the recorder.
    public var recorder: String?
    /// The origin that answered.
    public var origin: String?
    /// The stage below which the recorder stood, such as `Cookies`: what is replayed above it differs.
    public var position: String?

    /// Creates a description of a recording.
    public init(date: Date? = nil, recorder: String? = nil, origin: String? = nil, position: String? = nil) {
      self.date = date
      self.recorder = recorder
      self.origin = origin
      self.position = position
    }
  }

  /// A short name of an origin.
  public struct Alias: Sendable, Hashable {
    /// The name, of letters, digits, `-` and `_`.
    public var name: String
    /// The origin, such as `https://api.example.com`.
    public var origin: String

    /// Creates a name of an origin.
    public init(name: String, origin: String) {
      self.name = name
      self.origin = origin
    }
  }

  /// How exchanges are taken in a replay.
  public struct Policy: Sendable, Hashable {
    /// The order in which requests must come.
    public enum Order: String, Sendable, Hashable, CaseIterable {
      /// Any order.
      case any
      /// The recorded order among the requests to one origin.
      case perOrigin
      /// The recorded order.
      case strict
    }

    /// The policy for exchanges that no request used.
    public enum Unused: String, Sendable, Hashable, CaseIterable {
      /// They are an error.
      case fail
      /// They are reported.
      case warn
      /// They are not looked at.
      case ignore
    }

    /// The order in which requests must come.
    public var order = Order.any
    /// The policy for exchanges that no request used.
    public var unused = Unused.fail
    /// The mode of tests that choose none; `nil` means ``FixtureMode/replay``.
    public var mode: FixtureMode?

    /// Creates the default policy: any order, and unused exchanges are an error.
    public init() {}
  }

  /// A rule of comparing: a place in a message and a condition.
  ///
  /// Places are `method`, `path`, `query`, `query.NAME`, `header.NAME`, `body$.a.b`.
  public struct Rule: Sendable, Hashable {
    /// The place in the message.
    public var place: String
    /// The condition: the name of a matcher, an object of one with its values, or several as in Pact files:
    /// `{"matchers": [...], "combine": "OR"}`.
    public var condition: JSONValue

    /// Creates a rule.
    public init(_ place: String, _ condition: JSONValue) {
      self.place = place
      self.condition = condition
    }
  }
}

extension Scenario: CustomStringConvertible, CustomReflectable {
  /// The title and the number of exchanges.
  public var description: String {
    "\(title ?? "scenario"), \(exchanges.count) \(exchanges.count == 1 ? "exchange" : "exchanges")"
  }

  /// The title and the identifiers, without messages.
  public var customMirror: Mirror {
    Mirror(self, children: ["title": title as Any, "exchanges": exchanges.map(\.id)])
  }
}
