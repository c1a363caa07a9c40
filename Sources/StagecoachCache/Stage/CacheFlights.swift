import StagecoachCore
import StagecoachStages
import Synchronization

/// What a request that waits for an equal one gets.
enum CacheLanding: Sendable {
  /// The response is being stored; the number is that of the reader.
  case response(SharedEntry, reader: Int)
  /// The store is to be asked again.
  case again
  /// The response is not for others.
  case alone
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

  /// What becomes of a request.
  enum Boarding: Sendable {
    /// It is sent, and others may wait for it.
    case lead(CacheFlight)
    /// It waits for another.
    case wait(CacheFlight)
    /// It is sent, and nobody waits for it.
    case alone
  }

  private struct KeyState {
    /// The names that the last response nominated: requests that differ in them do not wait for each other.
    var names: [String] = []
    var flights: [[CachedResponse.Nominated]: CacheFlight] = [:]
    var aloneUntil: ContinuousClock.Instant?
  }

  private let keys = Mutex<[CacheKey: KeyState]>([:])

  /// - Parameters:
  ///   - names: The names that stored responses nominate, sorted.
  ///   - generation: The generation of the look-up of the request.
  ///   - values: Returns the values of nominated fields in the request.
  func board(
    _ key: CacheKey,
    names: [String],
    generation: UInt64,
    at now: ContinuousClock.Instant,
    values: ([String]) -> [CachedResponse.Nominated]
  ) -> Boarding {
    keys.withLock { keys in
      var state = keys[key] ?? KeyState()
      if let end = state.aloneUntil {
        guard now >= end else { return .alone }
        state.aloneUntil = nil
      }
      if !names.isEmpty { state.names = names }
      let variant = values(state.names)
      if let flight = state.flights[variant], flight.generation == generation { return .wait(flight) }
      let flight = CacheFlight(generation: generation)
      state.flights[variant] = flight
      keys[key] = state
      return .lead(flight)
    }
  }

  /// Ends a flight: later requests ask the store.
  func end(_ flight: CacheFlight, _ key: CacheKey) {
    keys.withLock { keys in
      guard var state = keys[key] else { return }
      state.flights = state.flights.filter { $0.value !== flight }
      keys[key] = state.flights.isEmpty && state.aloneUntil == nil ? nil : state
    }
  }

  /// Remembers the nominated names, by which later requests are told apart while the flight goes on.
  func note(_ response: CachedResponse, of flight: CacheFlight, _ key: CacheKey) {
    guard !response.vary.isEmpty else { return }
    keys.withLock { keys in
      // A flight that was closed stays closed.
      guard var state = keys[key], state.flights.values.contains(where: { $0 === flight }) else { return }
      state.names = response.vary.map(\.name)
      state.flights = state.flights.filter { $0.value !== flight }
      if state.flights[response.vary] == nil { state.flights[response.vary] = flight }
      keys[key] = state
    }
  }

  /// Lets requests for a key go on their own for a while, as its responses are not for others.
  func sendAlone(_ key: CacheKey, from now: ContinuousClock.Instant) {
    keys.withLock { keys in
      if keys.count >= Self.keyLimit { keys = keys.filter { !$0.value.flights.isEmpty } }
      keys[key, default: KeyState()].aloneUntil = now + Self.aloneTime
    }
  }

  /// Lets no later request join the flights for a URL, whose responses may be older than a change.
  func close(url: String) {
    keys.withLock { keys in
      for key in keys.keys where key.url == url { keys[key]?.flights = [:] }
    }
  }
}
