import Foundation
import StagecoachFormats
import Testing

/// What `Encodable` values become.
@Suite struct QueryEncoderEncodableTests {
  private struct Search: Encodable {
    var query = "a b"
    var page: Int? = 2
    var baseURLPath: String?
    var tags: Set = ["y", "x"]
    var friends = [Friend(name: "tom", age: 13), Friend(name: "bob", age: 14)]
    var extra = ["userName": 1, "a": 2]
  }

  private struct Friend: Encodable {
    var name: String
    var age: UInt8
  }

  private func query(_ value: some Encodable, _ change: (inout QueryEncoder) -> Void = { _ in }) throws
    -> String
  {
    var encoder = QueryEncoder()
    change(&encoder)
    let text = try encoder.encode(encoder.parameters(encoding: value))
    return text.replacing("%5B", with: "[").replacing("%5D", with: "]")
  }

  @Test func aStructureHasTheDefaultsOfUntypedParameters() throws {
    #expect(
      try query(Search())
        == "baseURLPath&extra[a]=2&extra[userName]=1&friends[][age]=13&friends[][name]=tom&friends[][age]=14"
        + "&friends[][name]=bob&page=2&query=a%20b&tags=x&tags=y"
    )
  }

  @Test func codingKeysHaveACaseAndDictionariesKeepTheirs() throws {
    let snake = try query(Search(friends: [])) { $0.keyCase = .snakeCase }
    #expect(snake == "base_url_path&extra[a]=2&extra[userName]=1&page=2&query=a%20b&tags=x&tags=y")
    let custom = try query(Search(tags: [], friends: [])) { $0.keyCase = .custom { "_\($0)" } }
    #expect(custom == "_baseURLPath&_extra[a]=2&_extra[userName]=1&_page=2&_query=a%20b")
  }

  @Test(arguments: [
    ("userName", "user_name"), ("baseURLPath", "base_url_path"), ("URL", "url"), ("a", "a"), ("", ""),
    ("_hidden", "_hidden"), ("item2Name", "item2_name"), ("already_snake", "already_snake"),
    ("ÄrgerÖl", "ärger_öl"),
  ])
  func convertsKeysToSnakeCase(key: String, text: String) throws {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(intValue: Int) { nil }
      init(stringValue: String) { self.stringValue = stringValue }
    }
    struct Value: Encodable {
      var key: String
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: key))
      }
    }
    var encoder = QueryEncoder()
    encoder.keyCase = .snakeCase
    #expect(try encoder.parameters(encoding: Value(key: key)).members.map(\.key) == [text])
  }

  @Test func theOrderOfPropertiesIsKeptIfConfigured() throws {
    #expect(
      try query(Search(tags: [], friends: [])) { $0.keyOrder = .asGiven }
        == "query=a%20b&page=2&baseURLPath&extra[a]=2&extra[userName]=1"
    )
  }

  @Test func everyOptionalWithoutValueIsANull() throws {
    struct Optionals: Encodable {
      var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?,
        j: Int128?
      var k: UInt?, l: UInt8?, m: UInt16?, n: UInt32?, o: UInt64?, p: UInt128?, q: Date?, r: [Int]?
    }
    #expect(try query(Optionals()) == "a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r")
    #expect(try query(Optionals()) { $0.nullStyle = .drop } == "")
    #expect(try query(["k": [nil, 1]]) { $0.nullStyle = .literal } == "k[]=null&k[]=1")
  }

  @Test func leavesHaveTheirText() throws {
    struct Leaves: Encodable {
      var bool = true
      var date = Date(timeIntervalSince1970: 0)
      var data = Data([1, 2])
      var decimal = Decimal(string: "0.10000000000000000001")
      var double = 1e20
      var float = Float(0.1)
      var large = UInt64.max
      var url = URL(string: "http://h/?a")
      var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    }
    #expect(
      try query(Leaves())
        == "bool=1&data=AQI%3D&date=1970-01-01T00%3A00%3A00Z&decimal=0.10000000000000000001&double=1e%2B20"
        + "&float=0.1&large=18446744073709551615&url=http%3A//h/?a&uuid=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    )
  }

  @Test func nestedContainersAndSuperclassesAreEncoded() throws {
    class Base: Encodable {
      var id = 1
    }
    final class Derived: Base {
      enum Keys: String, CodingKey { case name, list, object }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode("n", forKey: .name)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        var inner = list.nestedContainer(keyedBy: Keys.self)
        try inner.encode(true, forKey: .name)
        var object = container.nestedContainer(keyedBy: Keys.self, forKey: .object)
        try object.encodeNil(forKey: .name)
        try super.encode(to: container.superEncoder())
      }
    }
    #expect(try query(Derived()) == "list[]=1&list[][name]=1&name=n&object[name]&super[id]=1")
  }

  @Test func refusesWhatHasNoKeys() {
    #expect(throws: ParameterError.noKeys) { try query("text") }
    #expect(throws: ParameterError.noKeys) { try query([1, 2]) }
    #expect(throws: ParameterError.noKeys) { try query(nil as [String: Int]?) }
  }

  @Test func refusesWhatHasNoText() {
    #expect(throws: ParameterError.nonFiniteNumber(key: "a[0]")) { try query(["a": [Float.nan]]) }
    #expect(throws: ParameterError.nonFiniteNumber(key: "a[]")) {
      try query(["a": [Double.infinity]])
    }
    #expect(throws: ParameterError.nonFiniteNumber(key: "a")) { try query(["a": Decimal.nan]) }
  }

  @Test func limitsDepth() throws {
    final class Chain: Encodable {
      var next: Chain?
      init(length: Int) { next = length > 0 ? Chain(length: length - 1) : nil }
    }
    #expect(try query(Chain(length: 128)) { $0.objectStyle = .dot }.hasSuffix("next.next"))
    #expect(throws: ParameterError.self) { try query(Chain(length: 129)) }
    #expect(throws: ParameterError.tooDeep(key: "next[next]", limit: 1)) {
      try query(Chain(length: 5)) { $0.depthLimit = 1 }
    }
  }
}
