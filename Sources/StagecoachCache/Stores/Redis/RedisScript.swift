#if Redis
  /// The scripts that the server runs, each of them atomically.
  ///
  /// A URL has a generation, a random number under a key of its own. Each ``CacheKey`` has an index, a hash with
  ///
  /// - `g`: the generation in which it was made; with another one, it counts as empty
  /// - `o`: the order of its entries from the oldest, 48 characters each: the identifier and a hash of the nominated
  ///   fields
  /// - the head of each entry, under its identifier
  ///
  /// The content of an entry has a key of its own. Whatever was lost, by eviction, expiry or a restart, leads to a
  /// miss: without its generation an index is not used, and a generation is never made twice.
  ///
  /// A script reads before it writes and begins with the write that needs memory. If the server refuses that, nothing
  /// has changed.
  enum RedisScript: String {
    /// Returns the generation, then the identifiers and heads of all entries. Makes a generation if there is none;
    /// returns `0` if the server does not take it.
    ///
    /// Keys: generation, index. Arguments: a new generation, its lifetime in seconds.
    case lookUp = """
      local g = redis.call('GET', KEYS[1])
      if not g then
        local made = redis.pcall('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
        return {made.err and '0' or ARGV[1]}
      end
      local reply = {g}
      local f = redis.call('HMGET', KEYS[2], 'g', 'o')
      if f[1] ~= g or not f[2] then return reply end
      for at = 1, math.min(#f[2], 3072) - 47, 48 do
        local id = string.sub(f[2], at, at + 15)
        local head = redis.call('HGET', KEYS[2], id)
        if head then
          reply[#reply + 1] = id
          reply[#reply + 1] = head
        end
      end
      return reply
      """

    /// Adds an entry in place of those with the same nominated fields, and removes the oldest of more than 64. Returns
    /// 1, or 0 if the generation is another one.
    ///
    /// Keys: generation, index, content. Arguments: the generation, the beginning of the keys of contents, the
    /// identifier, the hash of the nominated fields, the head, the content, the lifetime in seconds.
    case commit = """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      local f = redis.call('HMGET', KEYS[2], 'g', 'o')
      redis.call('SET', KEYS[3], ARGV[6], 'EX', ARGV[7])
      local old, kept = f[2] or '', {}
      for at = 1, math.min(#old, 3072) - 47, 48 do
        local id = string.sub(old, at, at + 15)
        if f[1] == ARGV[1] and string.sub(old, at + 16, at + 47) ~= ARGV[4] then
          kept[#kept + 1] = string.sub(old, at, at + 47)
        else
          redis.call('UNLINK', ARGV[2] .. id)
          redis.call('HDEL', KEYS[2], id)
        end
      end
      while #kept > 63 do
        local id = string.sub(table.remove(kept, 1), 1, 16)
        redis.call('UNLINK', ARGV[2] .. id)
        redis.call('HDEL', KEYS[2], id)
      end
      kept[#kept + 1] = ARGV[3] .. ARGV[4]
      redis.call('HSET', KEYS[2], 'g', ARGV[1], 'o', table.concat(kept), ARGV[3], ARGV[5])
      redis.call('EXPIRE', KEYS[2], ARGV[7])
      redis.call('EXPIRE', KEYS[1], ARGV[7])
      return 1
      """

    /// Replaces the head of an entry and extends its life. Does nothing if the entry or its content is gone.
    ///
    /// Keys: generation, index, content. Arguments: the identifier, the hash of the nominated fields, the head, the
    /// lifetime in seconds.
    case update = """
      local g = redis.call('GET', KEYS[1])
      local f = redis.call('HMGET', KEYS[2], 'g', 'o', ARGV[1])
      if not g or f[1] ~= g or not f[2] or not f[3] or redis.call('EXISTS', KEYS[3]) == 0 then return 0 end
      local order = {}
      for at = 1, math.min(#f[2], 3072) - 47, 48 do
        local id = string.sub(f[2], at, at + 15)
        order[#order + 1] = id .. (id == ARGV[1] and ARGV[2] or string.sub(f[2], at + 16, at + 47))
      end
      redis.call('HSET', KEYS[2], 'o', table.concat(order), ARGV[1], ARGV[3])
      for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[4]) end
      return 1
      """

    /// Removes an entry.
    ///
    /// Keys: index, content. Arguments: the identifier.
    case remove = """
      local old = redis.call('HGET', KEYS[1], 'o') or ''
      redis.call('UNLINK', KEYS[2])
      redis.call('HDEL', KEYS[1], ARGV[1])
      local kept = {}
      for at = 1, math.min(#old, 3072) - 47, 48 do
        if string.sub(old, at, at + 15) ~= ARGV[1] then kept[#kept + 1] = string.sub(old, at, at + 47) end
      end
      if #kept == 0 then
        redis.call('UNLINK', KEYS[1])
      else
        redis.call('HSET', KEYS[1], 'o', table.concat(kept))
      end
      return 1
      """

    /// Removes the generation, and with it the entries of all partitions. The memory of those for everybody is
    /// freed at once, that of others when the index is written again or expires. Returns the generation that was there,
    /// and the new one if that is wanted and the server takes it.
    ///
    /// Keys: generation, index for everybody. Arguments: the beginning of the keys of contents; if wanted, a new
    /// generation and its lifetime in seconds.
    case invalidate = """
      local g = redis.pcall('GET', KEYS[1])
      redis.call('DEL', KEYS[1])
      local old = redis.pcall('HGET', KEYS[2], 'o')
      if type(old) == 'string' then
        for at = 1, math.min(#old, 3072) - 47, 48 do
          redis.call('UNLINK', ARGV[1] .. string.sub(old, at, at + 15))
        end
      end
      redis.call('UNLINK', KEYS[2])
      local reply = {type(g) == 'string' and g or ''}
      if ARGV[2] and not redis.pcall('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]).err then reply[2] = ARGV[2] end
      return reply
      """

    /// Returns the salt; makes one if there is none.
    ///
    /// Keys: salt. Arguments: a new salt.
    case salt = """
      redis.call('SET', KEYS[1], ARGV[1], 'NX')
      return redis.call('GET', KEYS[1])
      """
  }
#endif
