import Foundation

extension OperationQueue {
  /// Adds operations one by one; `addOperations` may block and is no function for tasks.
  func add(_ operations: [Operation]) {
    for operation in operations { addOperation(operation) }
  }
}
