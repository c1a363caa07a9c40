import Foundation
import Stagecoach
import StagecoachFixtures
import TestSupport
import Testing

struct HTMLReportTests {
  /// A page of our own with the report in frames: as it opens, behind the links of two filters, and as wide as a phone.
  /// The page around them looks at what the browser made of it; the report itself runs no script.
  private static let probe = """
    <!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
    <iframe id="all" src="report.html" style="width:100%;height:1000px;border:0"></iframe>
    <iframe id="broken" src="report.html#broken" style="width:100%;height:600px;border:0"></iframe>
    <iframe id="compatible" src="report.html#compatible" style="width:100%;height:600px;border:0"></iframe>
    <iframe id="narrow" src="report.html" style="width:400px;height:600px;border:0"></iframe>
    <script>
    addEventListener("load", () => {
      const look = name => {
        const page = document.getElementById(name).contentWindow, content = page.document
        const shown = e => page.getComputedStyle(e).display !== "none"
        return {
          shown: [...content.querySelectorAll("article")].filter(shown).map(e => e.classList[1]),
          bars: [...content.querySelectorAll(".waterfall a")].filter(shown).length,
          marks: [...content.querySelectorAll("mark")].map(e => e.className + " " + e.textContent),
          columns: page.getComputedStyle(content.querySelector(".sides")).gridTemplateColumns.split(" ").length,
          overflow: content.documentElement.scrollWidth > page.innerWidth,
          color: page.getComputedStyle(content.querySelector("b.broken")).color,
          scripts: content.querySelectorAll("script, img, iframe, object, embed, link, base, form").length,
          svgs: content.querySelectorAll("svg").length,
          handlers: [...content.querySelectorAll("*")].filter(e =>
            [...e.attributes].some(a => a.name.startsWith("on") || a.name === "style")).length,
          hacked: typeof page.hacked,
          loads: page.performance.getEntriesByType("resource").length,
          links: [...content.querySelectorAll("nav:not(.drifts) a")].map(e => e.textContent),
          drifts: [...content.querySelectorAll("nav.drifts a")].map(e => e.textContent),
          cells: [...content.querySelectorAll("td")].map(e => e.textContent).join("\\n"),
          title: content.title
        }
      }
      const result = document.createElement("pre")
      result.id = "result"
      result.textContent = "RESULT" + JSON.stringify(["all", "broken", "compatible", "narrow"].map(look)) + "RESULT"
      document.body.append(result)
    })
    </script>
    """

  @Test(
    .enabled(if: Chromium.executable != nil, "chromium is not installed: this test is not run"),
    .timeLimit(.minutes(10))
  )
  func aBrowserShowsFiltersAndRunsNothing() async throws {
    let folder = try ScratchDirectory()
    let report = try await ReportTests.report(in: folder.path + "/fixtures")
    _ = try folder.file("report.html", report.serialized(as: .html))
    _ = try folder.file("probe.html", Array(Self.probe.utf8))
    let browser = Chromium(folder: folder.path)
    let document = try await browser.document(of: "probe.html", screenshot: "page.png")
    let text = document.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
      "&amp;",
      with: "&"
    )
    let parts = text.split(separator: "RESULT")
    let json = try JSONValue(parsing: try #require(parts.first { $0.hasPrefix("[{\"shown\"") }))
    let (all, broken) = (try #require(json[0]), try #require(json[1]))
    let (compatible, narrow) = (try #require(json[2]), try #require(json[3]))

    let outcomes = ["agreed", "broken", "broken", "unanswered", "skipped"]
    #expect(all["shown"] == .array(outcomes.map { .string($0) }))
    #expect(broken["shown"] == ["broken", "broken"] && compatible["shown"] == ["agreed", "broken"])
    #expect(all["bars"] == 3 && broken["bars"] == 2 && compatible["bars"] == 2)
    #expect(all["links"] == ["all 5", "agreed 1", "broken 2", "unanswered 1", "skipped 1"])
    let drifts = try #require(all["drifts"]?.arrayValue).compactMap(\.stringValue)
    #expect(drifts.map { $0.drop { $0.isNumber || $0 == " " } } == ["breaking", "risky", "compatible"])
    #expect(all["title"] == "Broken: a <&>'s scenario against http://service")
    #expect(all["columns"] == 2 && narrow["columns"] == 1 && narrow["overflow"] == false)
    for page in [all, broken, compatible, narrow] {
      #expect(page["color"] == "rgb(187, 34, 34)", "the style sheet is not used")
      #expect(page["scripts"] == 0 && page["handlers"] == 0 && page["svgs"] == 3 && page["loads"] == 0)
      #expect(page["hacked"] == "undefined")
      #expect(page["cells"]?.stringValue?.contains("</script><script>hacked=1</script>") == true)
    }
    let picture = try Data(contentsOf: URL(filePath: folder.path + "/page.png"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]) && picture.count > 20_000)
    if let place = ProcessInfo.processInfo.environment["STAGECOACH_SCREENSHOT"] {
      try picture.write(to: URL(filePath: place))
    }
  }

  @Test func thePolicyForbidsEverythingButTheStyleSheet() async throws {
    let folder = try ScratchDirectory()
    let page = String(
      decoding: try await ReportTests.report(in: folder.path).serialized(as: .html),
      as: UTF8.self
    )
    #expect(
      page.contains(#"http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-"#)
    )
    #expect(!page.contains("<script") && !page.contains("http://www"))
  }

  private func marks(_ expected: String, _ actual: String, rules: [Scenario.Rule] = []) async throws
    -> [String]
  {
    let exchange = contractExchange("01", answer: expected, expect: rules)
    let report = try await Verification([contractScenario(exchange)], against: service(actual)).run()
    let page = String(decoding: report.serialized(as: .html), as: UTF8.self)
    return page.matches(of: /<mark class="([a-z]+)">([^<]*)<\/mark>/).map {
      "\($0.1) \($0.2.trimmingCharacters(in: .whitespaces))".replacing("&quot;", with: "'")
    }
  }

  @Test func onlyWhatDiffersIsMarked() async throws {
    #expect(
      try await marks(#"{"a":1,"b":{"c":[1,2]},"d":5}"#, #"{"a":"1","b":{"c":[1,3]},"e":[{}]}"#) == [
        "breaking 'a': 1,", "risky 2", "breaking 'd': 5",
        "breaking 'a': '1',", "risky 3", "compatible 'e': [", "compatible {}", "compatible ]",
      ]
    )
    let rule = [Scenario.Rule("body$.a", "type")]
    #expect(try await marks(#"{"a":1}"#, #"{"a":2}"#, rules: rule).isEmpty)
  }
}
