#ifdef STAGECOACH_IMAGES
#include "CImages.h"
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

// What is changed between setjmp and longjmp is here, because a local variable would lose its value.
typedef struct {
  stagecoach_image_job *job;
  png_structp png;
  png_infop info;
  size_t position;
  stagecoach_image_status status;
} png_reading;

static void on_error(png_structp png, png_const_charp message) {
  png_reading *reading = png_get_error_ptr(png);
  if (reading->status == stagecoach_image_ok) reading->status = stagecoach_image_malformed;
  snprintf(reading->job->message, sizeof reading->job->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_read(png_structp png, png_bytep target, size_t count) {
  png_reading *reading = png_get_io_ptr(png);
  const stagecoach_image_job *job = reading->job;
  if (count > job->count - reading->position) {
    reading->status = stagecoach_image_truncated;
    png_error(png, "the data ends before the image does");
  }
  memcpy(target, job->bytes + reading->position, count);
  reading->position += count;
}

// Chunks that do not change the pixels. Some are compressed, and would be inflated although nobody looks at them.
static const png_byte ignored_chunks[] =
  "bKGD\0" "cHRM\0" "eXIf\0" "gAMA\0" "hIST\0" "iCCP\0" "iTXt\0" "oFFs\0" "pCAL\0" "pHYs\0"
  "sBIT\0" "sCAL\0" "sPLT\0" "sRGB\0" "tEXt\0" "tIME\0" "zTXt";

static void read_png(png_reading *reading) {
  stagecoach_image_job *job = reading->job;
  png_structp png = reading->png;
  if (setjmp(png_jmpbuf(png))) return;
  png_set_read_fn(png, reading, on_read);
  png_set_user_limits(png, job->width, job->height);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, ignored_chunks, sizeof ignored_chunks / 5);
  png_read_info(png, reading->info);
  if (png_get_image_width(png, reading->info) != job->width || png_get_image_height(png, reading->info) != job->height)
    png_error(png, "the size has changed");
  // Any kind of pixel becomes RGBA of 8 bits; of 16 bits the nearest value.
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, reading->info);
  if (png_get_rowbytes(png, reading->info) != (size_t)job->width * 4) {
    reading->status = stagecoach_image_unsupported;
    png_error(png, "the pixels cannot be converted to RGBA");
  }
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t row = 0; row < job->height; row++) {
      if (row % 64 == 0 && job->is_cancelled(job->context)) {
        reading->status = stagecoach_image_cancelled;
        return;
      }
      png_read_row(png, job->pixels + row * job->stride, NULL);
    }
  }
  // The rest of the image data, with its checksum, and the end.
  png_read_end(png, NULL);
}

stagecoach_image_status stagecoach_image_decode_png(stagecoach_image_job *job) {
  png_reading reading = {.job = job, .status = stagecoach_image_ok};
  reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning);
  if (reading.png) reading.info = png_create_info_struct(reading.png);
  if (reading.info) {
    read_png(&reading);
  } else {
    reading.status = stagecoach_image_memory;
    snprintf(job->message, sizeof job->message, "libpng could not be set up");
  }
  png_destroy_read_struct(&reading.png, &reading.info, NULL);
  return reading.status;
}
#endif
