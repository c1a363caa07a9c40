import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures

extension SecretSequence {
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

  private static func login(_ user: String, _ password: String, _ status: Int, _ reply: String) -> Step {
    Step(
      method: "POST",
      target: "/login",
      fields: json,
      body: #"{"user": "\#(user)", "password": "\#(password)"}"#,
      status: status,
      reply: reply
    )
  }

  private static func refresh(_ token: String, _ next: String) -> Step {
    Step(
      method: "POST",
      target: "/token",
      fields: form,
      body: "grant_type=refresh_token&refresh_token=\(token)",
      reply: #"{"refresh_token": "\#(next)"}"#
    )
  }

  private static func bearer(_ target: String, _ token: String, _ reply: String) -> Step {
    Step(target: target, fields: [.authorization: "Bearer \(token)"], reply: reply)
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static let all: [SecretSequence] = [
    SecretSequence(
      "a wrong password, then the right one",
      change: ("ada", "eve"),
      { login("ada", $0("PASSWORD-1", nil), 401, #"{"error": "no"}"#) },
      { login("ada", $0("PASSWORD-2", nil), 200, #"{"ok": 1}"#) }
    ),
    SecretSequence(
      "two users",
      change: ("user-a", "user-c"),
      { login("user-a", $0("PASSWORD-1", nil), 200, #"{"token": "\#($0("TOKEN-1", nil))"}"#) },
      { login("user-b", $0("PASSWORD-2", nil), 200, #"{"token": "\#($0("TOKEN-2", nil))"}"#) },
      { bearer("/user-a", $0("TOKEN-1", nil), #"{"name": "A"}"#) },
      { bearer("/user-b", $0("TOKEN-2", nil), #"{"name": "B"}"#) },
      { bearer("/user-a", $0("TOKEN-1", nil), #"{"name": "A again"}"#) }
    ),
    SecretSequence(
      "refresh tokens",
      change: ("grant_type=refresh_token", "grant_type=password"),
      { refresh($0("REFRESH_TOKEN-1", nil), $0("REFRESH_TOKEN-2", nil)) },
      { refresh($0("REFRESH_TOKEN-2", nil), $0("REFRESH_TOKEN-3", nil)) }
    ),
    SecretSequence(
      "authorization code with PKCE",
      change: ("client_id=app", "client_id=other"),
      { value in
        Step(
          target: "/authorize?response_type=code&client_id=app&state=\(value("STATE-1", nil))"
            + "&code_challenge=\(value("CODE_CHALLENGE-1", nil))",
          status: 302,
          replyFields: [
            .location:
              "https://app.example/cb?code=\(value("CODE-1", nil))&state=\(value("STATE-1", nil))#done"
          ],
          reply: ""
        )
      },
      { value in
        Step(
          method: "POST",
          target: "/token",
          fields: form,
          body: "grant_type=authorization_code&client_id=app&code=\(value("CODE-1", nil))"
            + "&code_verifier=\(value("CODE_VERIFIER-1", nil))",
          reply: #"{"access_token": "\#(value("ACCESS_TOKEN-1", nil))", "token_type": "Bearer"}"#
        )
      },
      { bearer("/me?client_id=app", $0("ACCESS_TOKEN-1", nil), #"{"name": "Ada"}"#) }
    ),
    SecretSequence(
      "a code in a Location",
      change: ("view=full", "view=short"),
      { value in
        Step(
          method: "POST",
          target: "/new?view=full",
          status: 201,
          replyFields: [.location: "/x?token=\(value("TOKEN-1", nil))&view=full"],
          reply: ""
        )
      },
      { Step(target: "/x?token=\($0("TOKEN-1", nil))&view=full") }
    ),
    SecretSequence(
      "Basic",
      change: ("/fields", "/others"),
      { value in
        Step(
          target: "/fields",
          fields: [.authorization: "Basic \(base64("admin:\(value("BASIC_PASSWORD-1", nil))"))"]
        )
      }
    ),
    SecretSequence(
      "keys in fields and cookies",
      change: ("/page", "/pages"),
      { value in
        Step(
          target: "/page",
          fields: [
            .init("X-Api-Key")!: value("API_KEY-1", nil), .cookie: "theme=dark; sid=\(value("SID-1", nil))",
          ],
          replyFields: [.setCookie: "sid=\(value("SID-2", nil)); Path=/"]
        )
      },
      { value in
        Step(
          target: "/page",
          fields: [
            .init("X-Api-Key")!: value("API_KEY-1", nil), .cookie: "theme=dark; sid=\(value("SID-2", nil))",
          ],
          reply: #"{"page": 2}"#
        )
      }
    ),
    SecretSequence(
      "presigned URLs",
      change: ("/photo.jpg", "/film.mp4"),
      { value in
        let query =
          "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=\(value("SIGNATURE_CREDENTIAL-1", nil))"
          + "&X-Amz-Date=\(value("SIGNATURE_DATE-1", nil))&X-Amz-SignedHeaders=host"
          + "&X-Amz-Signature=\(value("SIGNATURE-1", nil))"
        return Step(target: "/bucket/photo.jpg?\(query)", reply: #"{"part": 1}"#)
      },
      { value in
        let query =
          "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=\(value("SIGNATURE_CREDENTIAL-1", nil))"
          + "&X-Amz-Date=\(value("SIGNATURE_DATE-2", nil))&X-Amz-SignedHeaders=host"
          + "&X-Amz-Signature=\(value("SIGNATURE-2", nil))"
        return Step(target: "/bucket/photo.jpg?\(query)", reply: #"{"part": 2}"#)
      }
    ),
    SecretSequence(
      "GraphQL",
      change: ("ada@example.com", "eve@example.com"),
      { value in
        Step(
          method: "POST",
          target: "/graphql",
          fields: json,
          body: #"{"query": "mutation L($e: String!, $p: String!) { login(e: $e, p: $p) { token } }","#
            + #" "variables": {"e": "ada@example.com", "p": "\#(value("P-1", nil))"}}"#,
          reply: #"{"data": {"login": {"token": "\#(value("TOKEN-1", nil))"}}}"#
        )
      },
      { bearer("/graphql?query=ada@example.com", $0("TOKEN-1", nil), #"{"data": {}}"#) }
    ),
    SecretSequence(
      "SOAP",
      change: (">ada<", ">eve<"),
      { value in
        Step(
          method: "POST",
          target: "/soap",
          fields: [.contentType: "text/xml; charset=utf-8"],
          body: #"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><Login>"#
            + "<user>ada</user><password>\(value("PASSWORD-1", nil))</password></Login></e:Body></e:Envelope>",
          replyFields: [.contentType: "text/xml"],
          reply: "<session>\(value("SESSION-1", nil))</session>"
        )
      },
      { value in
        Step(
          method: "POST",
          target: "/soap",
          fields: [.contentType: "text/xml; charset=utf-8"],
          body: "<Read><session>\(value("SESSION-1", nil))</session><user>ada</user></Read>",
          replyFields: [.contentType: "text/xml"],
          reply: "<page/>"
        )
      }
    ),
    SecretSequence(
      "two values in one place",
      change: ("from=a", "from=b"),
      { value in
        Step(
          method: "POST",
          target: "/merge?from=a&token=\(value("TOKEN-1", nil))&token=\(value("TOKEN-2", nil))",
          fields: json,
          body: #"{"tokens": ["\#(value("TOKEN-1", nil))", "\#(value("TOKEN-2", nil))"]}"#,
          reply: #"{"used": "\#(value("TOKEN-2", nil))"}"#
        )
      }
    ),
    SecretSequence(
      "multipart",
      change: ("Ada", "Eve"),
      { value in
        Step(
          method: "POST",
          target: "/form",
          fields: [.contentType: "multipart/form-data; boundary=b"],
          body: "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(value("PASSWORD-1", nil))\r\n--b--\r\n"
        )
      }
    ),
    SecretSequence(
      "a path, a text and JSON in JSON",
      change: ("by=mail", "by=phone"),
      { value in
        Step(
          method: "POST",
          target: "/reset/\(value("RESET-1", nil))/confirm?by=mail",
          fields: json,
          body: #"{"note": "token \#(value("TOKEN-1", nil)) was revoked","#
            + #" "event": "{\"key\": \"\#(value("KEY-1", nil))\"}"}"#,
          reply: #"{"revoked": "\#(value("TOKEN-1", nil))", "id": "\#(value("RESET-1", nil))"}"#
        )
      }
    ),
    SecretSequence(
      "made-up values",
      change: ("\"user\": 42", "\"user\": 43"),
      { value in
        Step(
          method: "POST",
          target: "/pin?device=\(value("DEVICE-1", "1b4e28ba-2fa1-41d2-883f-0016d3cca427"))",
          fields: json,
          body: #"{"user": 42, "pin": \#(value("PIN-1", "4829"))}"#,
          reply: #"{"otp": "\#(value("OTP-1", "301882"))", "pin": \#(value("PIN-1", "4829"))}"#,
          redacted: [
            .init("request.target", "query.device", "DEVICE-1"), .init("request.body", "$.pin", "PIN-1"),
            .init("reply.body", "$.otp", "OTP-1"), .init("reply.body", "$.pin", "PIN-1"),
          ]
        )
      },
      { value in
        Step(
          method: "POST",
          target: "/otp",
          fields: json,
          body: #"{"user": 42, "otp": "\#(value("OTP-1", "301882"))"}"#,
          redacted: [.init("request.body", "$.otp", "OTP-1")]
        )
      }
    ),
  ]
}
