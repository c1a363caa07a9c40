public import StagecoachCore
import Synchronization

/// Which requests meet which faults: the same plan and the same requests in the same order meet the same ones.
public struct FaultPlan: Sendable {
  private let choose: @Sendable (Int, Request) -> [Fault]

  /// A plan of one's own.
  ///
  /// - Parameter choose: Gives the faults of a request, the first with number 0; several happen together.
  public init(_ choose: @escaping @Sendable (_ number: Int, _ request: Request) -> [Fault]) {
    self.choose = choose
  }

  /// No faults: a stage with this plan changes nothing.
  public static let none = FaultPlan { _, _ in [] }

  /// The same faults for every request.
  public static func always(_ faults: Fault...) -> FaultPlan {
    FaultPlan { _, _ in faults }
  }

  /// A fault for each request in order, nil for none, and none for those beyond.
  public static func sequence(_ faults: [Fault?]) -> FaultPlan {
    FaultPlan { number, _ in number < faults.count ? [faults[number]].compactMap(\.self) : [] }
  }

  /// One of some faults for a part of the requests.
  ///
  /// - Parameters:
  ///   - probability: The part of the requests, from 0 to 1.
  ///   - faults: What is drawn from, each as often as the others.
  ///   - seed: What the draws depend on, together with the number of a request.
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
