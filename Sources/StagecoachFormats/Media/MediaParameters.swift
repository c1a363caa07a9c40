/// The parameters of a media type or range, each name once, in the order in which they were written. The order
/// makes no difference (RFC 9110 8.3.1).
struct MediaParameters: Sendable, Hashable {
  let list: [MediaType.Parameter]

  static func == (a: MediaParameters, b: MediaParameters) -> Bool {
    a.list.count == b.list.count && a.list.allSatisfy(b.list.contains)
  }

  func hash(into hasher: inout Hasher) {
    // The sum does not depend on the order.
    hasher.combine(list.reduce(0) { $0 &+ $1.hashValue })
  }
}
