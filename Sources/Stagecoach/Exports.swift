@_exported public import HTTPTypes
@_exported public import StagecoachCore
@_exported public import StagecoachSerializers
@_exported public import StagecoachStages

#if ContentCoding
  @_exported public import StagecoachContentCoding
#endif

#if canImport(Darwin)
  @_exported public import StagecoachURLSession
#elseif AsyncHTTPClient && os(Linux)
  @_exported public import StagecoachAsyncHTTPClient
#endif

#if CURL
  @_exported public import StagecoachCURL
#endif
