#pragma once
#include <stddef.h>
#include <stdint.h>

// Decoders of whole images into a buffer of the caller. The libraries report errors by longjmp: it does not leave
// these functions.

typedef enum stagecoach_image_status {
  stagecoach_image_ok,
  /// The data violates the format.
  stagecoach_image_malformed,
  /// The data ends before the image does.
  stagecoach_image_truncated,
  /// The library does not support a feature of the image.
  stagecoach_image_unsupported,
  /// An allocation failed.
  stagecoach_image_memory,
  /// `is_cancelled` returned another value than 0.
  stagecoach_image_cancelled
} stagecoach_image_status;

typedef struct stagecoach_image_job {
  /// The encoded image.
  const uint8_t *bytes;
  size_t count;
  /// The size in pixels that the caller has read from the header; an image of another size is malformed.
  uint32_t width;
  uint32_t height;
  /// Where the pixels are written to: `height` rows of `width` times R, G, B, A.
  uint8_t *pixels;
  /// The distance of two rows, in bytes; at least 4 times `width`.
  size_t stride;
  /// Asked now and then, with `context`.
  int (*is_cancelled)(const void *context);
  const void *context;
  /// The error, terminated by NUL.
  char message[200];
} stagecoach_image_job;

stagecoach_image_status stagecoach_image_decode_png(stagecoach_image_job *job);
stagecoach_image_status stagecoach_image_decode_jpeg(stagecoach_image_job *job);
stagecoach_image_status stagecoach_image_decode_webp(stagecoach_image_job *job);
