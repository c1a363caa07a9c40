import HTTPTypes
import StagecoachFormats
import Testing

@Suite struct ContentDispositionTests {
  /// What real senders send, many of them from the collection at greenbytes.de/tech/tc2231.
  @Test(
    arguments: [
      ("inline", "inline", nil), ("attachment", "attachment", nil), ("ATTACHMENT", "attachment", nil),
      ("attachment; filename=\"foo.html\"", "attachment", "foo.html"),
      ("attachment; FILENAME=foo.html", "attachment", "foo.html"),
      ("attachment;filename=foo.html;", "attachment", "foo.html"),
      (" attachment ;\tfilename = \"foo.html\" ;; ", "attachment", "foo.html"),
      (
        "attachment; filename=\"0000000000111111111122222.txt\"", "attachment",
        "0000000000111111111122222.txt"
      ),
      ("attachment; filename=\"a\\\"b.html\"", "attachment", "a\"b.html"),
      ("attachment; filename=\"a\\\\b.html\"", "attachment", "a\\b.html"),
      ("attachment; filename=\"C:\\dir\\file.txt\"", "attachment", "C:\\dir\\file.txt"),
      ("attachment; filename=\"Here's a semicolon;.html\"", "attachment", "Here's a semicolon;.html"),
      ("attachment; foo=\"bar\"; filename=\"foo.html\"", "attachment", "foo.html"),
      ("attachment; foo=\"\\\"\\\\\";filename=\"foo.html\"", "attachment", "foo.html"),
      ("attachment; filename=foo bar.html", "attachment", "foo bar.html"),
      ("attachment; filename=foo,bar.html", "attachment", "foo,bar.html"),
      ("attachment; filename=[foo](bar).html ; x=y", "attachment", "[foo](bar).html"),
      ("attachment; filename=\"foo.html", "attachment", "foo.html"),
      ("attachment; filename=\"foo\"bar\"; x=y", "attachment", "foo"),
      ("attachment; filename=\"f\u{E4}.html\"", "attachment", "f\u{E4}.html"),
      ("attachment; filename=\"foo-%41.html\"", "attachment", "foo-%41.html"),
      ("attachment; filename=\"a.html\"; filename=\"b.html\"", "attachment", "a.html"),
      ("filename=foo.html", "attachment", "foo.html"), ("x=y; filename=foo.html", "attachment", "foo.html"),
      ("\"attachment\"; filename=foo.html", "attachment", "foo.html"),
      ("; filename=foo.html", "attachment", "foo.html"), ("foobar; filename=a", "foobar", "a"),
      ("attachment; filename", "attachment", nil), ("attachment; filename=", "attachment", nil),
      ("attachment; =x; filename=a", "attachment", "a"), ("attachment x; filename=a", "attachment", "a"),
      ("attachment; filename==?ISO-8859-1?Q?foo-=E4.html?=", "attachment", "=?ISO-8859-1?Q?foo-=E4.html?="),
      ("attachment; filename*0=\"foo.\"; filename*1=\"html\"", "attachment", nil),
      ("attachment; filename*=iso-8859-1''foo-%E4.html", "attachment", "foo-\u{E4}.html"),
      ("attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", "attachment", "foo-\u{E4}-\u{20AC}.html"),
      ("attachment; filename*=UTF-8'en'foo", "attachment", "foo"),
      ("attachment; filename*=\"UTF-8''foo-%c3%a4.html\"", "attachment", "foo-\u{E4}.html"),
      ("attachment; filename*=''foo-%c3%a4.html; filename=a", "attachment", "a"),
      ("attachment; filename*=UTF-8''foo-%c3%a4%e2%82.html; filename=a", "attachment", "a"),
      ("attachment; filename*=utf-8''%E4.html; filename=a", "attachment", "a"),
      ("attachment; filename*=UTF-8''foo%; filename=a", "attachment", "a"),
      ("attachment; filename*=UTF-8''foo%4; filename=a", "attachment", "a"),
      ("attachment; filename*=UTF-8''f%oo; filename=a", "attachment", "a"),
      ("attachment; filename*=no-such-charset''foo; filename=a", "attachment", "a"),
      ("attachment; filename*=foo; filename=a", "attachment", "a"),
      ("attachment; filename=\"a\"; filename*=UTF-8''b", "attachment", "b"),
      ("attachment; filename*=UTF-8''b; filename=\"a\"", "attachment", "b"),
      ("attachment; filename *=UTF-8''b; filename=a", "attachment", "a"),
      ("form-data; name=\"x\"; filename=\"a%22b%0D%0a%25\"", "form-data", "a\"b\r\n%25"),
      ("form-data; name=x; filename=\"a\\\"b\"", "form-data", "a\"b"),
      ("form-data; filename=\"C:\\\"; name=\"x\"", "form-data", "C:\\"),
      ("form-data; filename=\"C:\\\\\"", "form-data", "C:\\\\"),
      ("form-data; filename=\"a\\\" ; b=c", "form-data", "a\\"),
    ] as [(String, String, String?)]
  )
  func readsTypeAndFileName(text: String, type: String, fileName: String?) throws {
    let value = try #require(ContentDisposition(text))
    #expect(value.type == type)
    #expect(value.rawFileName == fileName)
    #expect(ContentDisposition(value.description) == value)
  }

  @Test(arguments: [
    "", " ", ";", "; ;", "\"a\"", "\u{E9}", "attachment\r\n", "attachment; filename=\"a\nb\"",
    "attachment; filename=a\0b", "attachment; filename=\"a\u{1}b\"",
    "a" + String(repeating: ";a=", count: 3) + "\0",
  ])
  func refusesAMalformedField(text: String) {
    #expect(ContentDisposition(text) == nil)
  }

  @Test func moreThan64ParametersAreRefused() {
    let many = (1...64).map { "; p\($0)=\($0)" }.joined()
    #expect(ContentDisposition("attachment" + many)?.parameters.count == 64)
    #expect(ContentDisposition("attachment" + many + "; p=1") == nil)
    #expect(ContentDisposition("attachment" + many + "; p1=1")?.parameters.count == 64)
  }

  @Test func readsTheExamplesOfTheStandard() throws {
    let value = try #require(
      ContentDisposition("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates")
    )
    #expect(value.fileName == "\u{20AC} rates")
    #expect(value.parameters.map(\.value) == ["EURO rates", "\u{20AC} rates"])
    #expect(
      value.description == "attachment; filename=\"EURO rates\"; filename*=UTF-8''%E2%82%AC%20rates"
    )
  }

  @Test(arguments: [
    ("a.txt", "attachment; filename=a.txt"), ("a b.txt", "attachment; filename=\"a b.txt\""),
    ("", "attachment; filename=\"\""),
    ("f\u{E4}.txt", "attachment; filename=f_.txt; filename*=UTF-8''f%C3%A4.txt"),
    ("100%.txt", "attachment; filename=100_.txt; filename*=UTF-8''100%25.txt"),
    ("a\"b", "attachment; filename=a_b; filename*=UTF-8''a%22b"),
    ("a\r\nb\0", "attachment; filename=a__b_; filename*=UTF-8''a%0D%0Ab%00"),
  ])
  func writesAnAttachmentThatReadsBack(fileName: String, text: String) {
    let value = ContentDisposition.attachment(fileName: fileName)
    #expect(value.description == text)
    #expect(value.rawFileName == fileName)
    #expect(ContentDisposition(text) == value)
  }

  @Test func writesAFormFieldThatReadsBack() throws {
    let name = "n\"\r\n\\%\u{E4}"
    let plain = try #require(ContentDisposition.formData(name: name, fileName: "f\u{E4}"))
    #expect(plain.description == "form-data; name=\"n%22%0D%0A\\%\u{E4}\"; filename=\"f\u{E4}\"")
    #expect(ContentDisposition(plain.description) == plain)
    let both = try #require(
      ContentDisposition.formData(name: "n", fileName: "f\u{E4}", extendsFileName: true)
    )
    #expect(both.description == "form-data; name=\"n\"; filename=\"f\u{E4}\"; filename*=UTF-8''f%C3%A4")
    let ascii = try #require(ContentDisposition.formData(name: "n", fileName: "f", extendsFileName: true))
    #expect(ascii.description == "form-data; name=\"n\"; filename=\"f\"")
    #expect(ContentDisposition.formData(name: "a\0") == nil)
    #expect(ContentDisposition.formData(name: "a", fileName: "\0") == nil)
  }

  @Test func refusesWhatCannotBeWritten() {

    #expect(ContentDisposition(type: "a b") == nil)
    #expect(ContentDisposition(type: "") == nil)
    for parameters in [
      [FieldParameter(name: "a b", value: "")], [FieldParameter(name: "a*", value: "")],
      [FieldParameter(name: "", value: "")],
      [FieldParameter(name: "a", value: "\r\nx: y")], [FieldParameter(name: "a", value: "\0")],
      [FieldParameter(name: "a", value: "1"), FieldParameter(name: "A", value: "2")],
    ] {
      #expect(ContentDisposition(type: "inline", parameters: parameters) == nil)
    }
    let extended = [
      FieldParameter(name: "A", value: "1"), FieldParameter(name: "a", value: "\n", isExtended: true),
    ]
    #expect(
      ContentDisposition(type: "Inline", parameters: extended)?.description == "inline; a=1; a*=UTF-8''%0A"
    )
  }

  @Test func octetsThatAreNotUTF8AreLatin1() {
    let octets = Array("attachment; filename=\"f".utf8) + [0xE4] + Array("\"".utf8)
    var fields: HTTPFields = [:]
    #expect(fields.contentDisposition == nil)
    fields.append(HTTPField(name: .contentDisposition, lenientValue: octets))
    #expect(fields.contentDisposition?.fileName == "f\u{E4}")
  }
}
