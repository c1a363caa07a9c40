import StagecoachCore
import StagecoachFixtures

/// Pact files for several tests.
enum PactSamples {
  /// A file of version 2 with everything that the version has.
  static let version2 = """
    {
      "consumer": {"name": "web"},
      "provider": {"name": "users"},
      "interactions": [
        {
          "description": "a request for a user",
          "providerState": "user 42 exists",
          "request": {
            "method": "get",
            "path": "/users/42",
            "query": "verbose=true&tag=a&tag=b%20c",
            "headers": {"Accept": "application/json, text/plain"},
            "matchingRules": {
              "$.path": {"match": "regex", "regex": "/users/\\\\d+"},
              "$.query.tag[1]": {"match": "type"},
              "$.headers.Accept": {"regex": ".*json.*"}
            }
          },
          "response": {
            "status": 200,
            "headers": {"Content-Type": "application/json;charset=utf-8"},
            "body": {"id": 42.0, "name": "Ada", "tags": ["a"], "é": null, "text": "\\ud83d\\ude00"},
            "matchingRules": {
              "$.body.id": {"match": "type"},
              "$.body.tags": {"min": 1},
              "$.body['name']": {"match": "regex", "regex": "\\\\w+"}
            }
          }
        },
        {
          "description": "a request to add a user",
          "request": {
            "method": "POST",
            "path": "/users",
            "headers": {"Content-Type": "application/xml"},
            "body": "<?xml version=\\"1.0\\"?><user name=\\"Ada\\"/>"
          },
          "response": {"status": 201, "headers": {"Set-Cookie": "a=1, b=2"}, "body": ""}
        },
        {
          "description": "a picture",
          "request": {"method": "PUT", "path": "/p", "headers": {"Content-Type": "image/png"}, "body": "iVBORw0KGgo="},
          "response": {"status": 204, "body": null}
        },
        {
          "description": "texts",
          "request": {"method": "PUT", "path": "/t", "headers": {"Content-Type": "text/plain"}, "body": "{\\"a\\": 1}"},
          "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": "\\"12\\""}
        }
      ],
      "metadata": {"pactSpecification": {"version": "2.0.0"}, "client": {"name": "x"}}
    }
    """

  /// A file of version 4 with what is only kept.
  static let version4 = """
    {
      "consumer": {"name": "c", "team": "x"},
      "provider": {"name": "p"},
      "interactions": [
        {
          "type": "Synchronous/HTTP", "key": "abc", "description": "b", "pending": true,
          "comments": {"text": ["one", "two"], "testname": "t"}, "transport": "https",
          "interactionMarkup": {"markup": "# b", "markupType": "COMMON_MARK"}, "later": [1],
          "providerStates": [{"name": "s", "params": {"id": 1}}],
          "request": {"method": "GET", "path": "/b", "new": 1},
          "response": {"status": 200, "body": {"content": "AP8=", "contentType": "a/b", "encoded": "base64"}}
        },
        {"type": "Asynchronous/Messages", "description": "m", "contents": {"content": 1}},
        {
          "type": "Synchronous/HTTP", "description": "csv", "pluginConfiguration": {"csv": {}},
          "request": {"method": "GET", "path": "/a"}, "response": {"status": 200}
        }
      ],
      "metadata": {"pactSpecification": {"version": "4.0"}, "plugins": [{"name": "csv"}]},
      "_links": {}
    }
    """

  /// A file whose second interaction, on line 3, is a text.
  static func interaction(_ text: String) -> String {
    """
    {"consumer": {"name": "c"}, "provider": {"name": "p"}, "metadata": {"pactSpecification": {"version": "3"}},
     "interactions": [{"description": "\\"]", "request": {}, "response": {"status": 200, "body": [{}, "]"]}},
      \(text)]}
    """
  }

  static func file(_ text: String, _ path: String = "a.json") throws(ScenarioError) -> PactFile {
    try PactFile(contents: Array(text.utf8), path: path)
  }
}
