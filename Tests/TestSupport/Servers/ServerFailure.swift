package import Foundation

/// Why there is no server.
package enum ServerFailure: Error, CustomStringConvertible {
  /// The program, or a part of it, is not there.
  case notInstalled(String)
  /// It was started and does not answer; the file is what it writes its reasons to.
  case didNotStart(log: URL)

  package var description: String {
    switch self {
    case .notInstalled(let name): "\(name) is not installed"
    case .didNotStart(let log):
      "the server does not answer: \((try? String(contentsOf: log, encoding: .utf8)) ?? "it wrote no log")"
    }
  }
}

extension Optional {
  /// The value.
  ///
  /// - Throws: ``ServerFailure/notInstalled(_:)`` where there is none.
  func orNotInstalled(_ name: String) throws(ServerFailure) -> Wrapped {
    guard let self else { throw .notInstalled(name) }
    return self
  }
}
