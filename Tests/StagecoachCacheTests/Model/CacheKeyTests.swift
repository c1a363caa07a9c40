import StagecoachCache
import Testing

@Suite struct CacheKeyTests {
  @Test func partitionsMakeDifferentKeys() {
    #expect(CacheKey(url: "http://h/") == CacheKey(url: "http://h/", partition: ""))
    #expect(CacheKey(url: "http://h/") != CacheKey(url: "http://h/", partition: "a"))
  }
}
