public import StagecoachCore
import Synchronization

/// A deterministic choice of faults for requests: the same requests in the same order get the same faults.
public struct FaultPlan: Sendable {
  private let choose: @Sendable (Int, Request) -> [Fault]

  /// Creates a custom plan.
  ///
  /// - Parameter choose: Returns the faults of a request, numbered from 0; several are combined.
  public init(_ choose: @escaping @Sendable (_ number: Int, _ request: Request) -> [Fault]) {
    self.choose = choose
  }

  /// No faults: a stage with this plan changes nothing.
  public static let none = FaultPlan { _, _ in [] }

  /// Returns a plan with the same faults for every request.
  public static func always(_ faults: Fault...) -> FaultPlan {
    FaultPlan { _, _ in faults }
  }

  /// Returns a plan with a fault for each request in order; `nil` for none. Later requests get no faults.
  public static func sequence(_ faults: [Fault?]) -> FaultPlan {
    FaultPlan { number, _ in number < faults.count ? [faults[number]].compactMap(\.self) : [] }
  }

  /// Returns a plan with one of several faults for a part of the requests.
  ///
  /// - Parameters:
  ///   - probability: The ratio of requests with a fault, from 0 to 1.
  ///   - faults: The faults to choose from, with equal probability.
  ///   - seed: The seed of the choice, together with the number of a request.
  public static func random(_ probability: Double, of faults: [Fault], seed: UInt64) -> FaultPlan {
    FaultPlan { number, _ in
      // Drawn from the number, not in turns: requests at the same time meet the same faults in every run.
      let random = SeededRandom(seed: seed &+ UInt64(bitPattern: Int64(number)) &* 0xd134_2543_de82_ef95)
      guard !faults.isEmpty, Double(random.next() >> 11) * 0x1p-53 < probability else { return [] }
      return [faults[Int(random.next() % UInt64(faults.count))]]
    }
  }

  func faults(of number: Int, _ request: Request) -> [Fault] { choose(number, request) }
}
