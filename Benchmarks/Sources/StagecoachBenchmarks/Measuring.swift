import CAllocations

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One line of the result: ours, a peer's, and the ratio of the two.
struct Row {
  let name: String
  let unit: String
  let ours: Double
  let peer: Double
  let peerName: String
  let ratio: Double
}

/// What one round cost.
struct Cost: Codable {
  var wall: Double
  var cpu: Double
  var allocations: Double
  var switches: Double
}

/// The processor time of this process in seconds, user and system, and how often a thread of it slept.
func usage() -> (seconds: Double, switches: Int) {
  var usage = rusage()
  #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    getrusage(RUSAGE_SELF, &usage)
  #endif
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return (seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_nvcsw)
}

/// Runs a round of work and divides what it cost by the count of its units.
///
/// - Parameter countsAllocations: Whether allocations are counted, which makes each of them dearer: such
///   a round is no measure of time.
func cost(of units: Int, countsAllocations: Bool = false, _ work: () async throws -> Void) async throws
  -> Cost
{
  let allocationsBefore = allocations_total()
  let before = usage()
  let start = ContinuousClock.now
  allocations_count(countsAllocations)
  try await work()
  allocations_count(false)
  let wall = (ContinuousClock.now - start) / .seconds(1)
  let count = Double(units)
  return Cost(
    wall: wall / count,
    cpu: (usage().seconds - before.seconds) / count,
    allocations: Double(allocations_total() - allocationsBefore) / count,
    switches: Double(usage().switches - before.switches) / count
  )
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Runs two kinds of work in turns, so that the noise of the machine meets both, and takes medians:
/// of each side, and of the ratios within each turn.
func interleaved(
  rounds: Int,
  units: Int,
  ours: () async throws -> Void,
  peer: () async throws -> Void
) async throws -> (ours: [Cost], peer: [Cost]) {
  // The first turn warms up, the second counts.
  try await ours()
  try await peer()
  let allocations = (
    ours: try await cost(of: units, countsAllocations: true, ours).allocations,
    peer: try await cost(of: units, countsAllocations: true, peer).allocations
  )
  var costs: (ours: [Cost], peer: [Cost]) = ([], [])
  for round in 0..<rounds {
    // Whoever goes first in a turn alternates.
    if round % 2 == 0 {
      costs.ours.append(try await cost(of: units, ours))
      costs.peer.append(try await cost(of: units, peer))
    } else {
      costs.peer.append(try await cost(of: units, peer))
      costs.ours.append(try await cost(of: units, ours))
    }
  }
  for index in costs.ours.indices {
    costs.ours[index].allocations = allocations.ours
    costs.peer[index].allocations = allocations.peer
  }
  return costs
}

extension Row {
  /// A row over one aspect of interleaved costs; `transform` turns seconds into the unit of the row.
  init(
    _ name: String,
    unit: String,
    peerName: String,
    _ costs: (ours: [Cost], peer: [Cost]),
    _ transform: (Cost) -> Double
  ) {
    let ours = costs.ours.map(transform)
    let peer = costs.peer.map(transform)
    self.init(
      name: name,
      unit: unit,
      ours: median(ours),
      peer: median(peer),
      peerName: peerName,
      ratio: median(zip(ours, peer).map { $0 / $1 })
    )
  }
}
