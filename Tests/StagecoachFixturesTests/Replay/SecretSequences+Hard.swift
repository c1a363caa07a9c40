import Foundation
import HTTPTypes
import Stagecoach
import StagecoachFixtures

extension SecretSequence {
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

  private static func post(
    _ target: String,
    _ body: String,
    _ fields: HTTPFields = json,
    _ reply: String = "{}"
  ) -> Step {
    Step(method: "POST", target: target, fields: fields, body: body, reply: reply)
  }

  private static func login(_ user: String, _ password: String, _ token: String, _ refresh: String) -> Step {
    post(
      "/login",
      #"{"user": "\#(user)", "password": "\#(password)"}"#,
      json,
      #"{"access_token": "\#(token)", "refresh_token": "\#(refresh)", "for": "\#(user)"}"#
    )
  }

  private static func refresh(_ token: String, _ next: String, _ access: String) -> Step {
    post(
      "/token",
      "grant_type=refresh_token&client_id=app&refresh_token=\(token)",
      form,
      #"{"access_token": "\#(access)", "refresh_token": "\#(next)"}"#
    )
  }

  private static func page(_ target: String, _ token: String, _ reply: String) -> Step {
    Step(target: target, fields: [.authorization: "Bearer \(token)"], reply: #"{"page": "\#(reply)"}"#)
  }

  private static func field(_ name: String, _ value: String) -> HTTPFields { [HTTPField.Name(name)!: value] }

  /// Sequences in which secrets come back in other places, in other orders and in other forms.
  static let hard: [SecretSequence] = [
    SecretSequence(
      "two users whose requests alternate, and whose tokens are renewed",
      change: ("client_id=app", "client_id=web"),
      { login("ada", $0("PASSWORD-1", nil), $0("ACCESS_TOKEN-1", nil), $0("REFRESH_TOKEN-1", nil)) },
      { login("eve", $0("PASSWORD-2", nil), $0("ACCESS_TOKEN-2", nil), $0("REFRESH_TOKEN-2", nil)) },
      { page("/me", $0("ACCESS_TOKEN-2", nil), "eve") },
      { page("/me", $0("ACCESS_TOKEN-1", nil), "ada") },
      { refresh($0("REFRESH_TOKEN-1", nil), $0("REFRESH_TOKEN-3", nil), $0("ACCESS_TOKEN-3", nil)) },
      { page("/me", $0("ACCESS_TOKEN-2", nil), "eve again") },
      { refresh($0("REFRESH_TOKEN-2", nil), $0("REFRESH_TOKEN-4", nil), $0("ACCESS_TOKEN-4", nil)) },
      { page("/me", $0("ACCESS_TOKEN-4", nil), "eve anew") },
      { page("/me", $0("ACCESS_TOKEN-3", nil), "ada anew") }
    ),
    SecretSequence(
      "five refresh tokens",
      change: ("client_id=app", "client_id=web"),
      { refresh($0("REFRESH_TOKEN-1", nil), $0("REFRESH_TOKEN-2", nil), $0("ACCESS_TOKEN-1", nil)) },
      { refresh($0("REFRESH_TOKEN-2", nil), $0("REFRESH_TOKEN-3", nil), $0("ACCESS_TOKEN-2", nil)) },
      { refresh($0("REFRESH_TOKEN-3", nil), $0("REFRESH_TOKEN-4", nil), $0("ACCESS_TOKEN-3", nil)) },
      { refresh($0("REFRESH_TOKEN-4", nil), $0("REFRESH_TOKEN-5", nil), $0("ACCESS_TOKEN-4", nil)) },
      { refresh($0("REFRESH_TOKEN-5", nil), $0("REFRESH_TOKEN-6", nil), $0("ACCESS_TOKEN-5", nil)) },
      { page("/me?client_id=app", $0("ACCESS_TOKEN-5", nil), "five") }
    ),
    SecretSequence(
      "an authorization code with state, nonce and PKCE",
      change: ("scope=openid", "scope=email"),
      { value in
        let query =
          "response_type=code&client_id=app&scope=openid&redirect_uri=https%3A%2F%2Fapp.example%2Fcb"
          + "&state=\(value("STATE-1", nil))&nonce=\(value("NONCE-1", nil))"
          + "&code_challenge=\(value("CODE_CHALLENGE-1", nil))&code_challenge_method=S256"
        let back = "https://app.example/cb?code=\(value("CODE-1", nil))&state=\(value("STATE-1", nil))"
        return Step(target: "/authorize?\(query)", status: 302, replyFields: [.location: back], reply: "")
      },
      { value in
        post(
          "/token?scope=openid",
          "grant_type=authorization_code&code=\(value("CODE-1", nil))&code_verifier=\(value("CODE_VERIFIER-1", nil))"
            + "&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&client_id=app",
          form,
          #"{"access_token": "\#(value("ACCESS_TOKEN-1", nil))", "nonce": "\#(value("NONCE-1", nil))"}"#
        )
      }
    ),
    SecretSequence(
      "client credentials in Basic",
      change: ("scope=read", "scope=write"),
      { value in
        let basic = Data("app:\(value("BASIC_PASSWORD-1", nil))".utf8).base64EncodedString()
        var fields = form
        fields[.authorization] = "Basic \(basic)"
        let reply = #"{"access_token": "\#(value("ACCESS_TOKEN-1", nil))", "expires_in": 3600}"#
        return post("/token", "grant_type=client_credentials&scope=read", fields, reply)
      },
      { page("/jobs?scope=read", $0("ACCESS_TOKEN-1", nil), "jobs") }
    ),
    SecretSequence(
      "a presigned URL of GCS",
      change: ("bucket/a", "bucket/b"),
      { value in
        Step(
          target: "/bucket/a?X-Goog-Algorithm=GOOG4-RSA-SHA256"
            + "&X-Goog-Credential=\(value("SIGNATURE_CREDENTIAL-1", nil))&X-Goog-Date=\(value("SIGNATURE_DATE-1", nil))"
            + "&X-Goog-Expires=900&X-Goog-SignedHeaders=host&X-Goog-Signature=\(value("SIGNATURE-1", nil))"
        )
      }
    ),
    SecretSequence(
      "a shared access signature of Azure",
      change: ("sp=r&", "sp=rw&"),
      { value in
        Step(
          target: "/c/blob?sv=2023-11-03&sr=b&sp=r&se=\(value("SIGNATURE_SE-1", "2031-01-02T03%3A04%3A05Z"))"
            + "&sig=\(value("SIGNATURE-1", nil))"
        )
      }
    ),
    SecretSequence(
      "GraphQL with the password in the query",
      change: (#"user: \"ada\""#, #"user: \"eve\""#),
      { value in
        post(
          "/graphql",
          #"{"query": "mutation { login(user: \"ada\", password: \"\#(value("PASSWORD-1", nil))\") { token } }"}"#,
          json,
          #"{"data": {"login": {"token": "\#(value("TOKEN-1", nil))"}}}"#
        )
      }
    ),
    SecretSequence(
      "SOAP with a user name token",
      change: ("<w:Username>ada<", "<w:Username>eve<"),
      { value in
        post(
          "/soap",
          #"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="urn:wsse"><s:Header><w:Security>"#
            + "<w:UsernameToken><w:Username>ada</w:Username><w:Password>\(value("PASSWORD-1", nil))</w:Password>"
            + "</w:UsernameToken></w:Security></s:Header><s:Body><Open/></s:Body></s:Envelope>",
          [.contentType: "application/soap+xml"],
          #"{"sessionToken": "\#(value("SESSION_TOKEN-1", nil))"}"#
        )
      },
      { value in
        post(
          "/soap",
          #"<Read token="\#(value("SESSION_TOKEN-1", nil))"><w:Username>ada</w:Username></Read>"#
            .replacing("w:", with: ""),
          [.contentType: "application/soap+xml"]
        )
      }
    ),
    SecretSequence(
      "a CSRF token in a cookie, a field and a form",
      change: ("theme=dark", "theme=light"),
      { value in
        Step(
          target: "/form",
          replyFields: [.setCookie: "csrftoken=\(value("CSRFTOKEN-1", nil)); Path=/"]
        )
      },
      { value in
        let token = value("CSRFTOKEN-1", nil)
        var fields = form
        fields[.cookie] = "theme=dark; csrftoken=\(token); lang=en"
        fields[.init("X-CSRFToken")!] = token
        return post("/form", "csrfmiddlewaretoken=\(token)&amount=5", fields)
      },
      { value in
        var fields = form
        fields[.cookie] = "csrftoken=\(value("CSRFTOKEN-1", nil)); theme=dark; lang=en"
        return post("/form", "amount=6", fields)
      }
    ),
    SecretSequence(
      "Digest",
      change: ("username=\"ada\"", "username=\"eve\""),
      { _ in
        Step(
          target: "/private",
          status: 401,
          replyFields: [.wwwAuthenticate: #"Digest realm="r", nonce="n0nce-7f3a", qop="auth""#]
        )
      },
      { value in
        let answer = value("DIGEST_RESPONSE-1", "0123456789abcdef0123456789abcdef")
        return Step(
          target: "/private",
          fields: [
            .authorization:
              #"Digest username="ada", realm="r", nonce="n0nce-7f3a", uri="/private", qop=auth, nc=00000001, "#
              + #"cnonce="\#(value("DIGEST_CNONCE-1", nil))", response="\#(answer)""#
          ],
          reply: #"{"page": 1}"#
        )
      },
      { value in
        let answer = value("DIGEST_RESPONSE-2", "fedcba9876543210fedcba9876543210")
        return Step(
          target: "/private",
          fields: [
            .authorization:
              #"Digest username="ada", realm="r", nonce="n0nce-7f3a", uri="/private", qop=auth, nc=00000002, "#
              + #"cnonce="\#(value("DIGEST_CNONCE-2", nil))", response="\#(answer)""#
          ],
          reply: #"{"page": 2}"#
        )
      }
    ),
    SecretSequence(
      "a code that is used once",
      change: (#""user": "ada""#, #""user": "eve""#),
      { value in
        post(
          "/login",
          #"{"user": "ada", "password": "\#(value("PASSWORD-1", nil))"}"#,
          json,
          #"{"mfa_token": "\#(value("MFA_TOKEN-1", nil))", "mfa": true}"#
        )
      },
      { value in
        post(
          "/login/verify",
          #"{"user": "ada", "mfa_token": "\#(value("MFA_TOKEN-1", nil))", "otp": "\#(value("OTP-1", "482913"))"}"#,
          json,
          #"{"error": "wrong code"}"#
        )
      },
      { value in
        post(
          "/login/verify",
          #"{"user": "ada", "mfa_token": "\#(value("MFA_TOKEN-1", nil))", "otp": "\#(value("OTP-2", "739105"))"}"#,
          json,
          #"{"token": "\#(value("TOKEN-1", nil))"}"#
        )
      },
      { page("/me", $0("TOKEN-1", nil), "ada") }
    ),
    SecretSequence(
      "pages behind secret cursors",
      change: ("limit=2", "limit=3"),
      {
        Step(
          target: "/items?limit=2",
          reply: #"{"continuationToken": "\#($0("CONTINUATION_TOKEN-1", nil))"}"#
        )
      },
      { value in
        Step(
          target: "/items?limit=2&continuationToken=\(value("CONTINUATION_TOKEN-1", nil))",
          reply: #"{"next": "/items?limit=2&access_token=\#(value("ACCESS_TOKEN-1", nil))"}"#
        )
      },
      { Step(target: "/items?limit=2&access_token=\($0("ACCESS_TOKEN-1", nil))", reply: #"{"last": true}"#) }
    ),
    SecretSequence(
      "a ticket for a socket",
      change: ("room=blue", "room=red"),
      {
        post(
          "/tickets?room=blue",
          "{}",
          field("X-Api-Key", $0("API_KEY-1", nil)),
          #"{"ticket": "\#($0("TICKET-1", nil))"}"#
        )
      },
      { Step(target: "/socket?room=blue&ticket=\($0("TICKET-1", nil))", reply: #"{"open": true}"#) }
    ),
    SecretSequence(
      "a secret as a number and as a text",
      change: (#""door": 7"#, #""door": 8"#),
      { value in
        let pin = value("PIN-1", "48291")
        return Step(
          method: "POST",
          target: "/open",
          fields: json,
          body: #"{"user": "ada", "door": 7, "pin": \#(pin)}"#,
          reply: #"{"pin": "\#(pin)", "user": "ada"}"#,
          redacted: [.init("request.body", "$.pin", "PIN-1"), .init("reply.body", "$.pin", "PIN-1")]
        )
      },
      { value in
        let pin = value("PIN-1", "48291")
        return Step(
          method: "POST",
          target: "/close",
          fields: json,
          body: #"{"user": "ada", "door": 7, "pin": "\#(pin)"}"#,
          redacted: [.init("request.body", "$.pin", "PIN-1")]
        )
      }
    ),
    SecretSequence(
      "a session in a path and a key in a text",
      change: ("/rooms", "/halls"),
      {
        post(
          "/login",
          "user=ada&pwd=\($0("PWD-1", nil))",
          form,
          #"{"session_id": "\#($0("SESSION_ID-1", nil))"}"#
        )
      },
      {
        Step(
          target: "/session/\($0("SESSION_ID-1", nil))/rooms",
          reply: #"{"of": "\#($0("SESSION_ID-1", nil))"}"#
        )
      }
    ),
  ]
}
