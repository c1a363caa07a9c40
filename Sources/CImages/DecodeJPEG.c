#ifdef STAGECOACH_IMAGES
#include "CImages.h"
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
// After the header that says what the library was built with.
#include <jerror.h>

#ifndef JCS_ALPHA_EXTENSIONS
#error "libjpeg-turbo is needed, not another libjpeg"
#endif

// A progressive image of usual programs has about ten scans. Each one takes as long as an image of its own, and can be
// a few bytes.
enum { maximum_scans = 100 };

// What is changed between setjmp and longjmp is here, because a local variable would lose its value.
typedef struct {
  stagecoach_image_job *job;
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf jump;
  stagecoach_image_status status;
} jpeg_reading;

static stagecoach_image_status status_of(int code) {
  switch (code) {
  case JERR_OUT_OF_MEMORY:
  case JERR_NO_BACKING_STORE:
    return stagecoach_image_memory;
  case JERR_ARITH_NOTIMPL:
  case JERR_BAD_J_COLORSPACE:
  case JERR_BAD_PRECISION:
  case JERR_CCIR601_NOTIMPL:
  case JERR_COMPONENT_COUNT:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_NOTIMPL:
  case JERR_SOF_UNSUPPORTED:
    return stagecoach_image_unsupported;
  default:
    return stagecoach_image_malformed;
  }
}

static void on_error(j_common_ptr jpeg) {
  jpeg_reading *reading = jpeg->client_data;
  if (reading->status == stagecoach_image_ok) reading->status = status_of(jpeg->err->msg_code);
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  snprintf(reading->job->message, sizeof reading->job->message, "%s", text);
  longjmp(reading->jump, 1);
}

// The library goes on after damage to the pixels, with pixels that are wrong. Harmless warnings are ignored.
static void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
#ifdef D_ARITH_CODING_SUPPORTED
  case JWRN_ARITH_BAD_CODE:
#endif
  case JWRN_BOGUS_PROGRESSION:
  case JWRN_HIT_MARKER:
  case JWRN_HUFF_BAD_CODE:
  case JWRN_MUST_RESYNC:
    jpeg->err->error_exit(jpeg);
  }
}

static void stop(jpeg_reading *reading, stagecoach_image_status status, const char *text) {
  reading->status = status;
  snprintf(reading->job->message, sizeof reading->job->message, "%s", text);
  longjmp(reading->jump, 1);
}

static void on_start(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean on_fill(j_decompress_ptr jpeg) {
  stop(jpeg->client_data, stagecoach_image_truncated, "the data ends before the image does");
  return FALSE;
}

static void on_skip(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  if ((size_t)count > jpeg->src->bytes_in_buffer) on_fill(jpeg);
  jpeg->src->next_input_byte += count;
  jpeg->src->bytes_in_buffer -= (size_t)count;
}

static void on_progress(j_common_ptr common) {
  jpeg_reading *reading = common->client_data;
  if (reading->job->is_cancelled(reading->job->context)) stop(reading, stagecoach_image_cancelled, "cancelled");
  if (reading->jpeg.input_scan_number > maximum_scans)
    stop(reading, stagecoach_image_unsupported, "it has more than 100 scans");
}

static uint8_t product(unsigned a, unsigned b) { return (uint8_t)((a * b + 127) / 255); }

// Turns CMYK into RGBA without a colour profile. Adobe's programs write the inverted values, with a marker.
static void convert_cmyk(uint8_t *pixels, uint32_t width, int is_inverted) {
  unsigned flip = is_inverted ? 0 : 0xFF;
  for (uint8_t *pixel = pixels; pixel != pixels + (size_t)width * 4; pixel += 4) {
    unsigned black = pixel[3] ^ flip;
    pixel[0] = product(pixel[0] ^ flip, black);
    pixel[1] = product(pixel[1] ^ flip, black);
    pixel[2] = product(pixel[2] ^ flip, black);
    pixel[3] = 0xFF;
  }
}

static void read_jpeg(jpeg_reading *reading) {
  stagecoach_image_job *job = reading->job;
  j_decompress_ptr jpeg = &reading->jpeg;
  if (setjmp(reading->jump)) return;
  jpeg_create_decompress(jpeg);
  jpeg->src = &reading->source;
  jpeg->progress = &reading->progress;
  jpeg_read_header(jpeg, TRUE);
  if (jpeg->image_width != job->width || jpeg->image_height != job->height)
    stop(reading, stagecoach_image_malformed, "the size has changed");
  int is_cmyk = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
  jpeg->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  jpeg_start_decompress(jpeg);
  if (jpeg->output_width != job->width || jpeg->output_height != job->height || jpeg->output_components != 4)
    ERREXIT(jpeg, JERR_CONVERSION_NOTIMPL);
  while (jpeg->output_scanline < job->height) {
    JSAMPROW row = job->pixels + jpeg->output_scanline * job->stride;
    jpeg_read_scanlines(jpeg, &row, 1);
    if (is_cmyk) convert_cmyk(row, job->width, jpeg->saw_Adobe_marker);
  }
  jpeg_finish_decompress(jpeg);
}

stagecoach_image_status stagecoach_image_decode_jpeg(stagecoach_image_job *job) {
  jpeg_reading reading = {.job = job, .status = stagecoach_image_ok};
  reading.jpeg.err = jpeg_std_error(&reading.errors);
  reading.jpeg.client_data = &reading;
  reading.errors.error_exit = on_error;
  reading.errors.emit_message = on_message;
  reading.source.next_input_byte = job->bytes;
  reading.source.bytes_in_buffer = job->count;
  reading.source.init_source = on_start;
  reading.source.fill_input_buffer = on_fill;
  reading.source.skip_input_data = on_skip;
  reading.source.resync_to_restart = jpeg_resync_to_restart;
  reading.source.term_source = on_start;
  reading.progress.progress_monitor = on_progress;
  read_jpeg(&reading);
  jpeg_destroy_decompress(&reading.jpeg);
  return reading.status;
}
#endif
