#if CURL
  /// Certificates for the tests: a root, an intermediate, and what they signed. The keys are worth nothing.
  enum TestPKI {
    /// The root.
    static let root = """
      -----BEGIN CERTIFICATE-----
      MIIBkDCCATWgAwIBAgIULybcTkYZY+lsEnYoR63m6XiFT8wwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJVGVzdCByb290MCAXDTI2MTEyMjAzMzMyNloYDzIxMjYxMDI5
      MDMzMzI2WjAUMRIwEAYDVQQDDAlUZXN0IHJvb3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAARYgGvc6U/4uR5T4OHKQIeFBJIB3o4WFqBrDjNmYlObaYdIKIU8CqZC
      BbNH0RQGjh/+EntebtZh5NIcPkL2Qd4qo2MwYTAdBgNVHQ4EFgQUrt/8P9++CHyC
      6R6b1isPp5k96xswHwYDVR0jBBgwFoAUrt/8P9++CHyC6R6b1isPp5k96xswDwYD
      VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwCgYIKoZIzj0EAwIDSQAwRgIh
      APlI944gJ6syOxd6fHLuwCJrHJvUv/BIrqJ60DFWcUDzAiEApiteRKcUftwyWwvP
      qSwssNLmUzIjvFt6Jsl3QSi8QsI=
      -----END CERTIFICATE-----
      """

    /// Signed by the root.
    static let intermediate = """
      -----BEGIN CERTIFICATE-----
      MIIBlzCCAT2gAwIBAgIUHytYIZ0ZmVYOyFKpv0JthMYXlmIwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJVGVzdCByb290MCAXDTI2MTEyMjAzMzMyNloYDzIxMjYxMDI5
      MDMzMzI2WjAcMRowGAYDVQQDDBFUZXN0IGludGVybWVkaWF0ZTBZMBMGByqGSM49
      AgEGCCqGSM49AwEHA0IABICQUPFzlnCYkQXfqWwXCrrR8AqYb8qZ+Bq0xzkWqc3s
      hRpW40IaDMIUpLsbuEoCGkznlhGHnMwLcCzF6izKXIGjYzBhMA8GA1UdEwEB/wQF
      MAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBTozRGKVibblYH0eEUv+CIW
      yNR6tzAfBgNVHSMEGDAWgBSu3/w/374IfILpHpvWKw+nmT3rGzAKBggqhkjOPQQD
      AgNIADBFAiBquzpz2wX5OQTJ9f1avJJ6IV71M3ctzCqMPqDJc2Vc/gIhAIcNihPP
      V0EI0IcmHISCtItJ8j8e9redVf5Zs39G9XGl
      -----END CERTIFICATE-----
      """

    /// For `localhost` and 127.0.0.1, signed by the intermediate.
    static let server = """
      -----BEGIN CERTIFICATE-----
      MIIBpDCCAUqgAwIBAgIUEytr12A3Jv5uF0RA9KdZbK4HLuIwCgYIKoZIzj0EAwIw
      HDEaMBgGA1UEAwwRVGVzdCBpbnRlcm1lZGlhdGUwIBcNMjYxMTIyMDMzMzI3WhgP
      MjEyNjEwMjkwMzMzMjdaMBExDzANBgNVBAMMBnNlcnZlcjBZMBMGByqGSM49AgEG
      CCqGSM49AwEHA0IABK3sZcFH8FL9ZHv+PR1GzCFkQydy625uQhO4lVdIsDOcJDHt
      81rMRwTfEqA8lH4ySN6KALqw0JpAjzkKnWl+qlyjczBxMBoGA1UdEQQTMBGCCWxv
      Y2FsaG9zdIcEfwAAATATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNVHQ4EFgQUa6W0
      yoHn1f+ej+BYY1iXW5xTOPUwHwYDVR0jBBgwFoAU6M0RilYm25WB9HhFL/giFsjU
      ercwCgYIKoZIzj0EAwIDSAAwRQIgGt8EXTAIuFpPbLPTi9hg/j+KijV9YBgV/x5x
      LS0eePwCIQCaTic/He7r57hq8vTaVrhSkWHjBFUd7Oy6PO8XY0YJuw==
      -----END CERTIFICATE-----
      """

    static let serverKey = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsGtYpTMfqJxjBEGt
      sbELrqfHcMpDlAfsm14lteLFY3OhRANCAASt7GXBR/BS/WR7/j0dRswhZEMncutu
      bkITuJVXSLAznCQx7fNazEcE3xKgPJR+MkjeigC6sNCaQI85Cp1pfqpc
      -----END PRIVATE KEY-----
      """

    /// For `other.example`.
    static let other = """
      -----BEGIN CERTIFICATE-----
      MIIBoTCCAUegAwIBAgIUEytr12A3Jv5uF0RA9KdZbK4HLuMwCgYIKoZIzj0EAwIw
      HDEaMBgGA1UEAwwRVGVzdCBpbnRlcm1lZGlhdGUwIBcNMjYxMTIyMDMzMzI3WhgP
      MjEyNjEwMjkwMzMzMjdaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYI
      KoZIzj0DAQcDQgAEgN0GTxWknligXE4aunt5tTb5m8ITStJJzvJQ3JTfvJ0LhwS4
      v6HfANK1kGgobh0I0l7M1KHqczVnJjFprIMxQaNxMG8wGAYDVR0RBBEwD4INb3Ro
      ZXIuZXhhbXBsZTATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNVHQ4EFgQUBfkSrHou
      3BRMz5JJErmLLdTVryswHwYDVR0jBBgwFoAU6M0RilYm25WB9HhFL/giFsjUercw
      CgYIKoZIzj0EAwIDSAAwRQIgbEZX7v7GFuU4LuOkPo/EGzOYPEQq8Mw7AOsoByQ8
      wlkCIQCRKC9+JhIc2delsRyKD96SudkswWkBWbZ8FSrzwmTwkw==
      -----END CERTIFICATE-----
      """

    static let otherKey = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqkCDSnS2izSZtpSZ
      Wcksly2eVSRml1fjgJkfsI5KavOhRANCAASA3QZPFaSeWKBcThq6e3m1NvmbwhNK
      0knO8lDclN+8nQuHBLi/od8A0rWQaChuHQjSXszUoepzNWcmMWmsgzFB
      -----END PRIVATE KEY-----
      """

    /// For `localhost`, valid in January 2020 only.
    static let expired = """
      -----BEGIN CERTIFICATE-----
      MIIBkDCCATagAwIBAgIBdzAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFUZXN0IGlu
      dGVybWVkaWF0ZTAeFw0yMDAxMDEwMDAwMDBaFw0yMDAyMDEwMDAwMDBaMBIxEDAO
      BgNVBAMMB2V4cGlyZWQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT8beY5MW6b
      Z6jk+vEYA4Ugx2FDqTIzDJKHCY8hEDDFDPng7NqcEhHr92F5FJzV36UvlPQQiged
      KfL6G6PdMD4uo3MwcTAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwEwYDVR0l
      BAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFCHNRzOeFhFLAToNRlxQe2t0lUm3MB8G
      A1UdIwQYMBaAFOjNEYpWJtuVgfR4RS/4IhbI1Hq3MAoGCCqGSM49BAMCA0gAMEUC
      IQDEA9XGSu4s5BDAoKQdZiQVkAXfwGHlSgLOjUCez7UG9wIgX0A5BxiCq4XcKkty
      OAGPllBAs3HUnpYyU3N8mXLv7B0=
      -----END CERTIFICATE-----
      """

    static let expiredKey = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgskxoX7tSWva/+YUB
      GUKVnTLzZ+m4yWzLiLfJVHaDWwWhRANCAAT8beY5MW6bZ6jk+vEYA4Ugx2FDqTIz
      DJKHCY8hEDDFDPng7NqcEhHr92F5FJzV36UvlPQQigedKfL6G6PdMD4u
      -----END PRIVATE KEY-----
      """

    /// For a client, signed by the root.
    static let client = """
      -----BEGIN CERTIFICATE-----
      MIIBfzCCASagAwIBAgIUHytYIZ0ZmVYOyFKpv0JthMYXlmMwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJVGVzdCByb290MCAXDTI2MTEyMjAzMzMyN1oYDzIxMjYxMDI5
      MDMzMzI3WjARMQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMB
      BwNCAAS4sr30EzXW6ujTh6+brokOGMerKqJEXzpmG+lalmyl1kXJGltZ6N0a9jjX
      WaMDCAy3ij01Yvx6hmvnMkKXVcMLo1cwVTATBgNVHSUEDDAKBggrBgEFBQcDAjAd
      BgNVHQ4EFgQUio4F3kUI/Ko4Tw2X16A+iFrroFAwHwYDVR0jBBgwFoAUrt/8P9++
      CHyC6R6b1isPp5k96xswCgYIKoZIzj0EAwIDRwAwRAIgExI90GWICS4196g8Nx6Y
      WE6mhBR+E1+vXkv+EzRBGngCIBYfMvZSTv9OV/NPRT1HCFyqYNAiopcMXXGrpcFv
      qNEz
      -----END CERTIFICATE-----
      """

    static let clientKey = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvwawtMMEnji0Jv8F
      Q3miv/6Gx/ZN8x7Q2ZTdDoZkz+ShRANCAAS4sr30EzXW6ujTh6+brokOGMerKqJE
      XzpmG+lalmyl1kXJGltZ6N0a9jjXWaMDCAy3ij01Yvx6hmvnMkKXVcML
      -----END PRIVATE KEY-----
      """
  }
#endif
