#include "inflate.h"

#include <string.h>
#include <zlib.h>

enum { block = 64 * 1024, gzip_wrapping = 31 };

size_t inflate_gzip(const unsigned char *plain, size_t count, unsigned char *output, size_t room) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, 6, Z_DEFLATED, gzip_wrapping, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)plain;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)room;
  int status = deflate(&stream, Z_FINISH);
  size_t size = stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? size : 0;
}

size_t inflate_blocks(const unsigned char *coded, size_t count) {
  static unsigned char output[block];
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, gzip_wrapping) != Z_OK) return 0;
  int status = Z_OK;
  for (size_t position = 0; position < count && status == Z_OK; position += block) {
    stream.next_in = (unsigned char *)coded + position;
    stream.avail_in = (uInt)(count - position < block ? count - position : block);
    do {
      stream.next_out = output;
      stream.avail_out = block;
      status = inflate(&stream, Z_NO_FLUSH);
    } while (status == Z_OK && stream.avail_out == 0);
    // The block was used up and its end fell on the end of the output.
    if (status == Z_BUF_ERROR) status = Z_OK;
  }
  size_t size = stream.total_out;
  inflateEnd(&stream);
  return status == Z_STREAM_END ? size : 0;
}
