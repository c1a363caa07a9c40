import Stagecoach
import StagecoachTransportKit
import Testing

struct TransferCodingsTests {
  @Test(
    arguments: [
      ([], false), (["identity"], false), ([" Identity\t, identity"], false), (["Chunked"], true),
      (["identity", "chunked"], true),
    ] as [([String], Bool)]
  )
  func chunkedAndIdentityAreKnown(values: [String], isChunked: Bool) throws {
    #expect(try TransferCodings.isChunked(values, engine: "E") == isChunked)
  }

  @Test(arguments: [["gzip, chunked"], ["gzip", "chunked"], ["chunked, chunked"]])
  func otherCodingsAreUnsupported(values: [String]) {
    let error = #expect(throws: ExchangeError.self) { try TransferCodings.isChunked(values, engine: "E") }
    #expect(error?.kind == .unsupported)
    #expect(error?.requestMayHaveBeenSent == true)
  }
}
