import Foundation
import StagecoachFormats
import TestSupport
import Testing

/// Queries that we write, read by `urllib` and werkzeug, and queries that `urllib` writes, read by us.
@Suite(.enabled(if: Python.executable != nil, "python3 is not installed: these tests are not run"))
struct QueryPythonTests {
  @Test(Python.needsPackages, arguments: [QueryEncoder.Escaping.afnetworking, .strict, .form])
  func pythonReadsWhatWeWrite(escaping: QueryEncoder.Escaping) async throws {
    var random = SplitMix(state: 7)
    var encoder = QueryEncoder()
    encoder.escaping = escaping
    encoder.keyOrder = .asGiven
    encoder.arrayStyle = .indexed
    let parameters = (0..<300).map { _ in Parameters.random(depth: 3, using: &random) }
    let queries = try parameters.map(encoder.encode)
    let answer = try await Python.run(
      """
      import json, sys
      from urllib.parse import parse_qsl
      from werkzeug.wrappers import Request
      answer = []
      for query in sys.stdin.read().split('\\n'):
          pairs = parse_qsl(query, keep_blank_values=True, errors='strict')
          # Werkzeug keeps the order of the values of a key only.
          arguments = Request.from_values(query_string=query).args
          assert sorted(arguments.items(multi=True)) == sorted(pairs), query
          answer.append(pairs)
      print(json.dumps(answer))
      """,
      input: Array(queries.joined(separator: "\n").utf8)
    )
    let read = try JSONDecoder().decode([[[String]]].self, from: answer)
    #expect(read.count == parameters.count)
    for (read, (query, parameters)) in zip(read, zip(queries, parameters)) {
      let expected = leaves(of: parameters).map { [Array($0.key.utf8), Array(($0.value ?? "").utf8)] }
      #expect(read.map { $0.map { Array($0.utf8) } } == expected, "\(query)")
    }
  }

  @Test(arguments: ["quote", "quote_plus"])
  func weReadWhatPythonWrites(quoting: String) async throws {
    var random = SplitMix(state: 8)
    let forms = (0..<300).map { _ in
      (0..<Int.random(in: 1...5, using: &random)).map { number in
        ["\(number)\(text(using: &random))a", text(using: &random)]
      }
    }
    let answer = try await Python.run(
      """
      import json, sys, urllib.parse
      for form in json.load(sys.stdin):
          print(urllib.parse.urlencode([tuple(pair) for pair in form], quote_via=urllib.parse.\(quoting)))
      """,
      input: Array(JSONEncoder().encode(forms))
    )
    var decoder = QueryDecoder()
    decoder.escaping = .form
    let queries = String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(queries.count == forms.count)
    for (query, form) in zip(queries, forms) {
      let read = try decoder.queryItems(from: query)
      #expect(read.map { Array($0.name.utf8) } == form.map { Array($0[0].utf8) }, "\(query)")
      let values = try decoder.decode([String: String].self, from: query)
      #expect(form.allSatisfy { values[$0[0]].map { Array($0.utf8) } == Array($0[1].utf8) }, "\(query)")
    }
  }
}
