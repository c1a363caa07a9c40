#include "lines.h"

size_t lines_split(const uint8_t *bytes, size_t count, struct line *lines, size_t room) {
  size_t found = 0, start = 0;
  for (size_t index = 0; index < count; index++) {
    uint8_t byte = bytes[index];
    if (byte != '\n' && byte != '\r') continue;
    if (found < room) lines[found] = (struct line){bytes + start, index - start};
    found++;
    if (byte == '\r' && index + 1 < count && bytes[index + 1] == '\n') index++;
    start = index + 1;
  }
  return found;
}
