import Foundation
import StagecoachCore
import StagecoachResilience
import StagecoachSerializers
import StagecoachStages

/// The domain and the code of an `NSError` for a kind of error.
struct BridgedCode: Hashable {
  let domain: String
  let code: Int

  static let cancelled = url(.cancelled)

  static func url(_ code: URLError.Code) -> BridgedCode {
    BridgedCode(domain: NSURLErrorDomain, code: code.rawValue)
  }

  private static func response(_ code: URLError.Code) -> BridgedCode {
    BridgedCode(domain: BridgedError.responseDomain, code: code.rawValue)
  }

  private static func request(_ code: URLError.Code) -> BridgedCode {
    BridgedCode(domain: BridgedError.requestDomain, code: code.rawValue)
  }

  private static func cocoa(_ code: CocoaError.Code) -> BridgedCode {
    BridgedCode(domain: NSCocoaErrorDomain, code: code.rawValue)
  }

  private init(domain: String, code: Int) {
    self.domain = domain
    self.code = code
  }

  init(_ error: ExchangeError) {
    self =
      switch error.kind {
      case .invalidRequest: .url(.badURL)
      case .requestSerialization: .request(.cannotDecodeContentData)
      case .requestBody, .bodyNotReplayable: .url(.requestBodyStreamExhausted)
      case .nameResolution: .url(.cannotFindHost)
      case .connectionRefused, .connectionFailed, .proxyRefused: .url(.cannotConnectToHost)
      case .connectionReset, .incompleteBody: .url(.networkConnectionLost)
      case .tls(let failure): .url(Self.code(of: failure))
      case .timeout: .url(.timedOut)
      case .limit(.queue): .url(.resourceUnavailable)
      case .limit: .url(.dataLengthExceedsMaximum)
      case .protocolViolation: .url(.badServerResponse)
      case .contentCoding(.unknown): .url(.cannotDecodeContentData)
      case .contentCoding: .url(.cannotDecodeRawData)
      case .status, .validation: .response(.badServerResponse)
      case .mediaType: .response(.cannotDecodeContentData)
      case .serialization:
        error.underlying is CharsetError
          ? .response(.cannotDecodeContentData) : .cocoa(.propertyListReadCorrupt)
      case .bodyCancelled, .shutdown: .cancelled
      case .file: Self.writesResponse(error) ? .cocoa(.fileWriteUnknown) : .request(.badURL)
      case .unsupported: .url(.unsupportedURL)
      case .stageFailure(let failure): Self.code(of: failure)
      case .bodyAlreadyRead, .policy, .transport, .stage: .url(.unknown)
      }
  }

  /// Whether a file error is of the file that the response goes to, and not of one that the request sends.
  private static func writesResponse(_ error: ExchangeError) -> Bool {
    error.response != nil || error.stage == String(describing: FileResponseSerializer.self)
  }

  private static func code(of failure: ExchangeError.TLSFailure) -> URLError.Code {
    switch failure {
    case .untrusted, .hostMismatch, .pinMismatch, .refused: .serverCertificateUntrusted
    case .expired: .serverCertificateHasBadDate
    case .identity, .alert, .handshake: .secureConnectionFailed
    }
  }

  private static func code(of failure: any StageFailure) -> BridgedCode {
    switch failure {
    case let failure as RedirectFailure:
      switch failure {
      case .tooMany: .url(.httpTooManyRedirects)
      case .insecure: .url(.appTransportSecurityRequiresSecureConnection)
      case .unsupportedScheme: .url(.unsupportedURL)
      case .ambiguousLocation, .invalidLocation, .locationTooLong, .userInformation:
        .url(.redirectToNonExistentLocation)
      }
    case let failure as AuthenticationFailure:
      .url(failure == .cancelled ? .userCancelledAuthentication : .userAuthenticationRequired)
    case is CircuitFailure: .url(.resourceUnavailable)
    case is ChecksumFailure: .cocoa(.fileReadCorruptFile)
    default: .url(.unknown)
    }
  }
}
