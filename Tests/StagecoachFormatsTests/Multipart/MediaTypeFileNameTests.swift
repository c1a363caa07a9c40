import StagecoachFormats
import Testing

@Suite struct MediaTypeFileNameTests {
  @Test(arguments: [
    ("a.cer", "application/x-x509-ca-cert"), ("A.PNG", "image/png"), ("/a.b/c.JPG", "image/jpeg"),
    ("a.tar.gz", "application/gzip"), (".txt", "text/plain"), ("a", "application/octet-stream"),
    ("", "application/octet-stream"), ("a.", "application/octet-stream"),
    ("a.txt/b", "application/octet-stream"),
    ("a.unknown", "application/octet-stream"), ("a.txt/", "application/octet-stream"),
  ])
  func findsTheTypeOfAnExtension(name: String, type: String) {
    #expect(MediaType(fileName: name).description == type)
  }
}
