import HTTPTypes
import StagecoachCore
import StagecoachSerializers
import Synchronization

extension ResumableWork {
  var resolvedRequest: Request {
    var request = request
    try? request.resolve(against: client.base)
    request.options = request.options.inheriting(client.defaults.options)
    return request
  }

  func archived(withSecrets isComplete: Bool) throws -> ArchivedWork {
    var request = request
    try content?.apply(to: &request)
    var work = ArchivedWork(
      request: try ArchivedRequest(
        request,
        marked: resolvedRequest.options.sensitiveFields,
        withSecrets: isComplete
      ),
      serializer: store.name,
      accepts: ArchivedAcceptance(store.accepts),
      wasSent: wasSent.load(ordering: .relaxed)
    )
    try store.archive(in: &work)
    return work
  }
}
