#pragma once
#include <stddef.h>

/// Compresses bytes to one member of gzip. Returns its size, or 0 if the room is too small.
size_t inflate_gzip(const unsigned char *plain, size_t count, unsigned char *output, size_t room);

/// Inflates one member of gzip through a buffer of 64 KiB, given the input in blocks of 64 KiB. Returns how
/// many bytes came out, or 0 if the data is not good.
size_t inflate_blocks(const unsigned char *coded, size_t count);
