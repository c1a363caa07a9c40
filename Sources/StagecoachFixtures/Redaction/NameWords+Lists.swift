extension NameWords {
  /// Names as a whole, without word separators.
  static let whole: [String: SecretNaming.Verdict] = {
    var names: [String: SecretNaming.Verdict] = [:]
    func add(_ verdict: SecretNaming.Verdict, _ list: String) {
      for name in list.split(separator: " ") { names[String(name)] = verdict }
    }
    add(.short(.keyMaterial), "d k p q dp dq qi")
    add(.short(.pin), "pin")
    add(.short(.code), "code")
    add(.short(.sessionID), "sid")
    add(.short(.key), "key")
    add(.short(.signature), "sig")
    add(.short(.state), "state nonce")
    add(.short(.password), "pass pw clave parola")
    add(.short(.cardNumber), "number")
    add(.short(.ticket), "ticket")
    add(
      .secret,
      "formkey sessid sessionid phpsessid jsessionid wpnonce honeycombteam passkey bearer psw pswd samlart"
    )
    add(.secret, "xhoneycombteam xwpnonce clientkeydata recoverykey unsealkey")
    // A password behind the name of whose it is, without a separator.
    add(
      .password,
      "userpass usrpass usrpw userpw loginpass loginpw adminpass adminpw rootpass rootpw dbpass dbpw"
    )
    add(.password, "mysqlpass smtppass mailpass ftppass sshpass sudopass securityanswer")
    add(.opaque, "wresult formbuildid rememberme tok deploykey servicekey serverkey sshkey")
    add(.random, "webhook webhookurl dsn apihash salt seed creds")
    add(.code, "mpin tpin tan logincode signincode onetimecode otpcode onetimepassword")
    add(
      .number,
      "cardnumber ccnumber creditcard creditcardnumber cardno ccnum pan accountnumber bankaccountnumber accountno iban ssn "
        + "socialsecuritynumber"
    )
    // They begin with the name of a secret, but are none.
    add(
      .harmless,
      "secwebsocketkey secwebsocketaccept idempotencykey xidempotencykey"
    )
    return names
  }()

  /// The last words of longer names.
  static let lastWords: [String: SecretNaming.Verdict] = [
    "key": .random, "keys": .random, "code": .short(.code), "pin": .code, "pass": .password, "pw": .password,
    "salt": .random, "sid": .random, "nonce": .opaque, "ticket": .random, "hook": .random,
  ]

  /// Key in other languages.
  static let foreignKeys = TextStarts(
    [
      "schluessel", "schlüssel", "clave", "llave", "cle", "clé", "chave", "chiave", "sleutel", "nyckel",
      "klucz",
      "noegle", "nøgle", "avain", "anahtar", "klic", "klíč", "kulcs", "ключ", "鍵", "キー", "키",
    ].map { ($0, ()) }
  )

  /// Words beside such a key by which it is a secret: API, private, secret and access.
  static let foreignQualifiers = TextStarts(
    [
      "api", "апи", "privada", "privé", "privée", "privee", "privata", "prywatny", "приватный", "secreta",
      "segreta", "secrete", "secrète", "tajny", "gizli", "geheimer", "секретный", "секретний", "acceso",
      "acesso",
      "accès", "acces", "accesso", "доступа",
    ].map { ($0, ()) }
  )

  /// Words before `key`, `code` and `pin` by which these are no secrets.
  static let qualifiers: Set<String> = [
    "public", "pub", "primary", "foreign", "partition", "sort", "cache", "surrogate", "idempotency",
    "object", "i18n", "translation", "message", "lookup", "natural", "composite", "unique", "index", "group",
    "row", "range", "websocket", "country", "currency", "language", "lang", "locale", "zip", "postal",
    "post", "status", "error", "phone", "area", "dial", "dialing", "calling", "region", "state", "product",
    "promo", "coupon", "discount", "bar", "qr", "color", "response", "reason", "exit", "airline", "airport",
    "gpio", "input", "output", "is", "map", "result", "http", "tracking", "order", "booking", "item",
    "category", "article", "department", "station", "plus", "global", "compound", "bank", "swift", "sort",
    "tax",
    "routing", "issue", "metric", "dedupe", "shortcut", "correlation", "request", "trace",
  ]

  /// Last words of names of values that describe a secret, such as `token_type` and `password_policy`.
  static let descriptions: Set<String> = [
    "type", "types", "hint", "hints", "supported", "method", "methods", "alg", "algorithm", "algorithms",
    "count", "counts", "limit", "limits", "length", "policy", "policies", "status", "enabled", "disabled",
    "required", "format", "formats", "scope", "scopes", "in", "at", "on", "by", "for", "to", "of", "expiry",
    "expires", "expire", "expired", "expiration", "exp", "input", "tokenizer", "detail", "details",
    "timeout", "timeouts", "ttl", "age", "max", "min", "maximum", "minimum", "duration", "seconds",
    "minutes", "hours", "days", "ms", "millis", "time", "times", "timestamp", "ts", "date", "dates",
    "created",
    "updated", "issued", "modified", "changed", "start", "started", "end", "ended", "begin", "size", "sizes",
    "version", "level", "strength", "score", "usage", "used", "remaining", "left", "quota", "rate", "cost",
    "costs", "price", "url", "uri", "urls", "uris", "endpoint", "endpoints", "link", "links", "href", "path",
    "host", "domain", "realm", "name", "names", "label", "labels", "title", "description", "message",
    "messages", "error", "errors", "reason", "help", "placeholder", "prompt", "question", "header",
    "headers", "param", "params", "parameter", "parameters", "field", "fields", "column", "mode", "kind",
    "category", "class", "provider", "issuer", "audience", "action", "event", "events", "user", "username",
    "email", "owner", "role", "roles", "group", "file", "filename", "location", "template", "pattern",
    "regex", "rule", "rules", "encoding", "digits", "position", "index", "offset", "row", "public", "valid",
    "validity", "verified", "exists", "present", "check", "manager", "management", "service", "server",
    "client", "page", "form", "view", "screen", "button", "icon", "image", "color", "arn", "consent",
    "accepted", "notice", "banner", "preferences", "generator", "ids", "total", "average", "avg", "samesite",
    "secure", "storage", "store", "strategy", "number", "numbers", "text", "support", "interval", "flow",
    "flows", "lifetime", "lifespan", "rotation", "protection", "detection", "balance", "symbol", "decimal",
    "decimals", "change", "changes", "affinity", "replay", "budget", "supply", "amount", "set", "reset",
    "use",
    "login", "flavor",
  ]

  /// Last words behind the name of a secret that name the secret all the same, such as `passwordConfirmation`.
  static let continuations: Set<String> = [
    "value", "string", "plain", "plaintext", "raw", "data", "content", "base64", "b64", "hex", "repeat",
    "repeated", "confirm", "confirmation", "again", "retype", "wiederholen", "new", "old", "current", "nuova",
    "prod", "production", "staging", "test", "dev", "live", "main", "primary", "secondary", "default",
  ]

  /// First words of names of answers, such as `hasPassword`.
  static let questions: Set<String> = [
    "is", "has", "have", "can", "should", "use", "uses", "needs", "need", "requires", "require", "allow",
    "allows", "show", "hide", "forgot", "no", "without", "enable", "disable", "skip", "with", "max", "min",
    "num", "total",
  ]

  /// Words before `token` by which this is no secret: a place in a list, or a word of a language model.
  static let pages: Set<String> = [
    "page", "next", "continuation", "cursor", "paging", "pagination", "previous", "prev", "sync", "resume",
    "scroll", "skip", "delta", "input", "output", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "stop",
  ]

  /// The ends of words that only begin with the name of a secret.
  static let otherWords: Set<String> = [
    "ary", "aries", "arial", "ariat", "izer", "izers", "ization", "ize", "ized", "ise", "ised", "less", "ly",
    "ive", "ism", "omics",
  ]

  /// The parts of names that mean a password.
  static let passwords: Set<String> = [
    "password", "passwd", "passphrase", "pwd", "passwort", "kennwort", "motdepasse", "contraseña",
    "contrasena", "palavrapasse", "wachtwoord", "lösenord", "losenord", "adgangskode", "salasana", "şifre",
    "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "senha", "hasło", "haslo", "heslo", "passord", "sifre",
    "mdp", "zugangscode", "losungswort", "toegangscode", "parolachiave", "paroladordine", "kodeord", "jelszó",
    "jelszo", "lozinka", "katasandi", "matkhau", "mậtkhẩu", "暗証番号", "암호", "κωδικός", "κωδικος",
    "κωδικόςπρόσβασης", "parolă",
    "كلمةالمرور", "كلمةالسر", "סיסמה", "पासवर्ड", "รหัสผ่าน",
  ]
}
