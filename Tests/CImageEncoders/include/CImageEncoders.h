#pragma once
#include <stddef.h>
#include <stdint.h>

/// How a JPEG image is written.
typedef struct image_encoder_options {
  /// 1 for grey, 3 for RGB, 4 for CMYK.
  int components;
  int is_progressive;
  int is_arithmetic;
  /// Whether a CMYK image is marked as one of Adobe's, which store the inverted values.
  int is_adobe;
  /// Whether each component has a scan of its own, without progression.
  int has_scan_per_component;
} image_encoder_options;

/// Encodes pixels of the components as JPEG, of quality 100 without subsampling.
///
/// Returns the bytes, to be released with free, or NULL.
uint8_t *image_encoder_jpeg(
  const uint8_t *pixels, uint32_t width, uint32_t height, image_encoder_options options, size_t *count);

/// Encodes RGBA as WebP: without loss, or with a quality of 90.
///
/// Returns the bytes, to be released with free, or NULL.
uint8_t *image_encoder_webp(const uint8_t *pixels, int width, int height, int is_lossless, size_t *count);
