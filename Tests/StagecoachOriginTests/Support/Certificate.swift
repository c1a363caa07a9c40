#if Tool
  /// A self-signed certificate for localhost, 127.0.0.1 and ::1, valid until 2126.
  enum Certificate {
    static let key = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9uK5k7Ax04TKAzO5
      N6N+EuFHO9ryglGkdvW1DHEOw+WhRANCAAReFNXRX2R4kNhL5LNslOhlHXaS83+/
      9MUahnIc7GQ1Du7A7/hUpdu2/5+5XOk7Eq/u4phF3N/p9nRBSEX5dp//
      -----END PRIVATE KEY-----

      """

    static let certificate = """
      -----BEGIN CERTIFICATE-----
      MIIBrjCCAVSgAwIBAgIUPfPKgx5wfJYOt7KxLLl+hgZb2igwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExNTIyMVoYDzIxMjYxMDI4
      MTE1MjIxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAReFNXRX2R4kNhL5LNslOhlHXaS83+/9MUahnIc7GQ1Du7A7/hUpdu2
      /5+5XOk7Eq/u4phF3N/p9nRBSEX5dp//o4GBMH8wHQYDVR0OBBYEFJMxENNomrJV
      RgmAPcclwWktJVEeMB8GA1UdIwQYMBaAFJMxENNomrJVRgmAPcclwWktJVEeMA8G
      A1UdEwEB/wQFMAMBAf8wLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAABhxAAAAAA
      AAAAAAAAAAAAAAABMAoGCCqGSM49BAMCA0gAMEUCIQDEs4jHFkYMhzsQGFknWFQR
      LOoqJkN7xBCYq0Rt1L5+jwIgHF8cKdNz9LIH2js27B7SP0YPPk3xHW6jO9ciEsHd
      aK0=
      -----END CERTIFICATE-----

      """
  }
#endif
