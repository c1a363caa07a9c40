#if canImport(Darwin)
  import Foundation
  import StagecoachCore

  extension URLRequest {
    /// Applies the network use of a request.
    mutating func ask(for use: NetworkUse?, over versions: HTTPVersions) {
      // Without it the engine uses HTTP/3 only if a server has announced it.
      assumesHTTP3Capable = versions.contains(.http3)
      if use?.allowsCellularAccess == false { allowsCellularAccess = false }
      if let type = use?.serviceType { networkServiceType = type.networkServiceType }
    }
  }

  extension NetworkUse.ServiceType {
    fileprivate var networkServiceType: URLRequest.NetworkServiceType {
      switch self {
      case .standard: .default
      case .background: .background
      case .video: .video
      case .voice: .voice
      case .responsiveData: .responsiveData
      @unknown default: .default
      }
    }
  }
#endif
