/// The origin's `/json/large`.
struct LargeDocument: Decodable, Sendable {
  struct Item: Decodable, Sendable {
    struct Owner: Decodable, Sendable {
      var id: Int
      var name: String
    }

    var id: Int
    var name: String
    var price: Int
    var available: Bool
    var tags: [String]
    var owner: Owner
  }

  var items: [Item]
}
