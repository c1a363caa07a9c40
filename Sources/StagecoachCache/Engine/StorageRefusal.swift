/// The reason why a response is not stored; it is shown in events.
enum StorageRefusal: String, Error {
  case method
  case status
  case requestNoStore = "no-store in the request"
  case noStore = "no-store"
  case notUnderstood = "must-understand"
  case privateInShared = "private"
  case authorization
  case varies = "Vary"
  case noFreshness = "no lifetime and no validator"
  case contentLength = "contradictory Content-Length"
  case contentRange = "Content-Range"
  case targetedField = "CDN-Cache-Control"
  case head = "too many fields"
  case malformed = "malformed Cache-Control"
}
