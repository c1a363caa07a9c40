import StagecoachCore
import StagecoachStages
import Synchronization

/// The outcome for a request that waits for an equal one.
enum CacheLanding: Sendable {
  /// The response is being stored; the number is that of the reader.
  case response(SharedEntry, reader: Int)
  /// The store is to be asked again.
  case again
  /// The response is not for others.
  case alone
  /// It has waited too long.
  case late
}

/// A response that is being stored, and its body.
struct SharedEntry: Sendable {
  let response: CachedResponse
  let shared: SharedResponse
}

/// A request in flight for a key, until its response is stored.
final class CacheFlight: Sendable {
  /// The generation of the look-up that preceded the request: whoever has seen a later one must not join.
  let generation: UInt64
  let waiting = Flight<CacheLanding>()
  private let entry = Mutex<SharedEntry?>(nil)

  init(generation: UInt64) {
    self.generation = generation
  }

  /// The entry that is being written, once its head has arrived.
  var landed: SharedEntry? {
    get { entry.withLock { $0 } }
    set { entry.withLock { $0 = newValue } }
  }
}

/// The requests in flight of a cache, by key.
final class CacheFlights: Sendable {
  /// How long requests for a key are sent on their own after a response that was not for others.
  private static let aloneTime = Duration.seconds(2)
  private static let keyLimit = 4096

  /// The role of a request: it leads a flight, waits for one, or is sent by itself.
  enum Boarding: Sendable {
    /// It is sent, and others may wait for it.
    case lead(CacheFlight)
    /// It waits for another.
    case wait(CacheFlight)
    /// It is sent, and nobody waits for it.
    case alone
    /// The store is to be asked again: a flight ended after it was asked.
    case again
  }

  private struct KeyState {
    /// The names that the last response nominated: requests that differ in them do not wait for each other.
    var names: [String] = []
    var flights: [[CachedResponse.Nominated]: CacheFlight] = [:]
    var aloneUntil: ContinuousClock.Instant?
  }

  private struct State {
    var keys: [CacheKey: KeyState] = [:]
    /// The keys of the flights that ended last; the place of each is its number.
    var ended: [CacheKey] = []

    mutating func remove(_ flight: CacheFlight, _ key: CacheKey) {
      guard var ofKey = keys[key] else { return }
      ofKey.flights = ofKey.flights.filter { $0.value !== flight }
      keys[key] = ofKey.flights.isEmpty && ofKey.aloneUntil == nil ? nil : ofKey
    }
  }

  /// Of how many flights that have ended the keys are known.
  private static let endedLimit = 64

  private let state = Mutex(State())
  private let ends = Atomic(0)

  /// The number of flights that have ended. Read this before the look-up; otherwise a request can miss both the flight
  /// and its result.
  var endedCount: Int { ends.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - endedCount: How many flights had ended before the look-up of the request.
  ///   - names: The names that stored responses nominate, sorted.
  ///   - generation: The generation of the look-up of the request.
  ///   - values: Returns the values of nominated fields in the request; `nil` if one is unreadable.
  func board(
    _ key: CacheKey,
    names: [String],
    generation: UInt64,
    since endedCount: Int,
    at now: ContinuousClock.Instant,
    values: ([String]) -> [CachedResponse.Nominated]?
  ) -> Boarding {
    state.withLock { state in
      var ofKey = state.keys[key] ?? KeyState()
      if let end = ofKey.aloneUntil {
        guard now >= end else { return .alone }
        ofKey.aloneUntil = nil
      }
      if !names.isEmpty { ofKey.names = names }
      guard let variant = values(ofKey.names) else { return .alone }
      if let flight = ofKey.flights[variant], flight.generation == generation { return .wait(flight) }
      let ends = ends.load(ordering: .relaxed)
      let missed = max(endedCount, ends - Self.endedLimit)..<ends
      if missed.contains(where: { state.ended[$0 % Self.endedLimit] == key }) { return .again }
      let flight = CacheFlight(generation: generation)
      ofKey.flights[variant] = flight
      state.keys[key] = ofKey
      return .lead(flight)
    }
  }

  /// Ends a flight: later requests ask the store.
  func end(_ flight: CacheFlight, _ key: CacheKey) {
    state.withLock { state in
      let place = ends.load(ordering: .relaxed) % Self.endedLimit
      if place < state.ended.count { state.ended[place] = key } else { state.ended.append(key) }
      ends.add(1, ordering: .releasing)
      state.remove(flight, key)
    }
  }

  /// Lets no later request wait for a flight that takes too long. It ends later, whoever has waited for it.
  func abandon(_ flight: CacheFlight, _ key: CacheKey) {
    state.withLock { $0.remove(flight, key) }
  }

  /// Remembers the nominated names, by which later requests are told apart while the flight goes on.
  func note(_ response: CachedResponse, of flight: CacheFlight, _ key: CacheKey) {
    guard !response.vary.isEmpty else { return }
    state.withLock { state in
      // A flight that was closed stays closed.
      guard var ofKey = state.keys[key], ofKey.flights.values.contains(where: { $0 === flight }) else {
        return
      }
      ofKey.names = response.vary.map(\.name)
      ofKey.flights = ofKey.flights.filter { $0.value !== flight }
      if ofKey.flights[response.vary] == nil { ofKey.flights[response.vary] = flight }
      state.keys[key] = ofKey
    }
  }

  /// Lets requests for a key go on their own for a while, as its responses are not for others.
  func sendAlone(_ key: CacheKey, from now: ContinuousClock.Instant) {
    state.withLock { state in
      if state.keys.count >= Self.keyLimit { state.keys = state.keys.filter { !$0.value.flights.isEmpty } }
      state.keys[key, default: KeyState()].aloneUntil = now + Self.aloneTime
    }
  }

  /// Lets no later request join the flights for a URL, whose responses may be older than a change.
  func close(url: String) {
    state.withLock { state in
      for key in state.keys.keys where key.url == url { state.keys[key]?.flights = [:] }
    }
  }
}
