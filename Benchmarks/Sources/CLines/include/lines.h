#pragma once
#include <stddef.h>
#include <stdint.h>

/// A line without its end.
struct line {
  const uint8_t *start;
  size_t count;
};

/// Splits bytes at LF, CR and CR LF, and returns how many lines there are. Of those for which there is no room
/// only the count is known; what no line end follows is no line.
size_t lines_split(const uint8_t *bytes, size_t count, struct line *lines, size_t room);
