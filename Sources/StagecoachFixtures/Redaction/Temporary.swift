import StagecoachFormats

struct SecretScan {
  init(_ options: RedactionOptions = RedactionOptions()) {}
  func findings(in file: String, _ bytes: Bytes) -> [String] { [] }
}
