#if CURL
  import CCurl

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  // curl calls these on the engine's thread, while the handle is in a multi handle, so the objects that it holds by
  // address are alive.

  extension EasyHandle {
    /// Sets the functions that curl calls for a transfer of this handle.
    func setCallbacks(of loop: EngineLoop) {
      let pointer = Unmanaged.passUnretained(self).toOpaque()
      _ = stagecoach_curl_set_data_callback(curl, CURLOPT_HEADERFUNCTION, headerCallback)
      set(CURLOPT_HEADERDATA, pointer)
      _ = stagecoach_curl_set_data_callback(curl, CURLOPT_WRITEFUNCTION, writeCallback)
      set(CURLOPT_WRITEDATA, pointer)
      _ = stagecoach_curl_set_data_callback(curl, CURLOPT_READFUNCTION, readCallback)
      set(CURLOPT_READDATA, pointer)
      _ = stagecoach_curl_set_prerequest(curl, prerequestCallback)
      set(CURLOPT_PREREQDATA, pointer)
      set(CURLOPT_TRAILERDATA, pointer)
      // Sockets outlive handles, and the loop outlives both.
      let loopPointer = Unmanaged.passUnretained(loop).toOpaque()
      _ = stagecoach_curl_set_open_socket(curl, openSocketCallback)
      set(CURLOPT_OPENSOCKETDATA, loopPointer)
      _ = stagecoach_curl_set_close_socket(curl, closeSocketCallback)
      set(CURLOPT_CLOSESOCKETDATA, loopPointer)
    }
  }

  private func job(of handle: UnsafeMutableRawPointer?) -> Job? {
    handle.flatMap { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue().job }
  }

  private let headerCallback: curl_write_callback = { bytes, size, count, handle in
    guard let job = job(of: handle), let bytes else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return job.receiveLine(line) ? line.count : 0
  }

  private let writeCallback: curl_write_callback = { bytes, size, count, handle in
    guard let job = job(of: handle) else { return 0 }
    return job.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  private let readCallback: curl_write_callback = { bytes, size, count, handle in
    guard let job = job(of: handle) else { return Int(CURL_READFUNC_ABORT) }
    return job.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  private let prerequestCallback: curl_prereq_callback = { handle, remote, local, remotePort, localPort in
    guard let job = job(of: handle) else { return CURL_PREREQFUNC_ABORT }
    let link = Link(
      remote: remote.map { String(cString: $0) } ?? "",
      remotePort: remotePort,
      local: local.map { String(cString: $0) } ?? "",
      localPort: localPort
    )
    return job.willSend(over: link) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  let trailerCallback: curl_trailer_callback = { list, handle in
    guard let job = job(of: handle) else { return CURL_TRAILERFUNC_ABORT }
    list?.pointee = job.trailerList()
    return CURL_TRAILERFUNC_OK
  }

  private let openSocketCallback: curl_opensocket_callback = { loop, _, address in
    guard let loop, let address = address?.pointee else { return CURL_SOCKET_BAD }
    // A child process must not inherit the connection.
    #if canImport(Glibc)
      let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(address.family, type, address.protocol)
    #elseif canImport(Musl)
      let descriptor = socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol)
    #else
      let descriptor = socket(address.family, address.socktype, address.protocol)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #endif
    if descriptor >= 0 { Unmanaged<EngineLoop>.fromOpaque(loop).takeUnretainedValue().didOpen(descriptor) }
    return descriptor
  }

  private let closeSocketCallback: curl_closesocket_callback = { loop, descriptor in
    if let loop { Unmanaged<EngineLoop>.fromOpaque(loop).takeUnretainedValue().willClose(descriptor) }
    return close(descriptor)
  }
#endif
