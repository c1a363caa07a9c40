import StagecoachFormats
import Testing

@Suite struct URIErrorTests {
  private static func error(_ uri: String) -> URIError? {
    do throws(URIError) {
      _ = try TargetURI(parsing: uri)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "http://secret:hunter2@h/", "http://secret:hunter2/x@h/", "secret:hunter2@h/", "http://secret hunter2/@h",
    "http://h:hunter2@", "ftp://secret:hunter2@h/", "http://secret:1:2/@h", "http://[secret@h",
    "//secret@h:x/",
  ])
  func userInformationIsNeverShown(uri: String) throws {
    let text = try #require(Self.error(uri)).description
    #expect(!text.contains("secret"))
    #expect(!text.contains("hunter2"))
  }

  @Test func theTextNamesWhatIsWrongAndWhatToDo() throws {
    let host = try #require(Self.error("http://m\u{FC}nchen.de/"))
    #expect(host.excerpt == "m\u{FC}nchen.de")
    #expect(host.description.contains("m\u{FC}nchen.de"))
    #expect(host.description.contains("Punycode"))
    let scheme = try #require(Self.error("localhost:8080/"))
    #expect(scheme.description.contains("\"localhost\""))
    #expect(scheme.description.contains("http://"))
  }

  @Test func excerptsAreBounded() throws {
    let error = try #require(Self.error("http://" + String(repeating: "a", count: 10_000) + "/"))
    #expect(error.reason == .invalidHost)
    #expect(error.excerpt?.utf8.count == 100)
  }
}
