#ifdef STAGECOACH_IMAGES
#include "CImageEncoders.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/encode.h>

typedef struct {
  struct jpeg_error_mgr errors;
  struct jpeg_compress_struct jpeg;
  unsigned char *bytes;
  unsigned long count;
  jmp_buf jump;
} jpeg_writing;

static void on_error(j_common_ptr jpeg) { longjmp(((jpeg_writing *)jpeg->client_data)->jump, 1); }

static int write_jpeg(
  jpeg_writing *writing, const uint8_t *pixels, uint32_t width, uint32_t height, image_encoder_options options) {
  j_compress_ptr jpeg = &writing->jpeg;
  if (setjmp(writing->jump)) return 0;
  jpeg_create_compress(jpeg);
  jpeg_mem_dest(jpeg, &writing->bytes, &writing->count);
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = options.components;
  jpeg->in_color_space = options.components == 1 ? JCS_GRAYSCALE : options.components == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, 100, TRUE);
  for (int component = 0; component < jpeg->num_components; component++) {
    jpeg->comp_info[component].h_samp_factor = 1;
    jpeg->comp_info[component].v_samp_factor = 1;
  }
  if (options.components == 4) jpeg->write_Adobe_marker = options.is_adobe ? TRUE : FALSE;
  if (options.is_arithmetic) jpeg->arith_code = TRUE;
  if (options.is_progressive) jpeg_simple_progression(jpeg);
  jpeg_scan_info scans[MAX_COMPONENTS];
  if (options.has_scan_per_component) {
    memset(scans, 0, sizeof scans);
    for (int component = 0; component < jpeg->num_components; component++) {
      scans[component].comps_in_scan = 1;
      scans[component].component_index[0] = component;
      scans[component].Se = 63;
    }
    jpeg->scan_info = scans;
    jpeg->num_scans = jpeg->num_components;
  }
  jpeg_start_compress(jpeg, TRUE);
  while (jpeg->next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)jpeg->next_scanline * width * (size_t)options.components);
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
  return 1;
}

uint8_t *image_encoder_jpeg(
  const uint8_t *pixels, uint32_t width, uint32_t height, image_encoder_options options, size_t *count) {
  jpeg_writing writing;
  memset(&writing, 0, sizeof writing);
  writing.jpeg.err = jpeg_std_error(&writing.errors);
  writing.jpeg.client_data = &writing;
  writing.errors.error_exit = on_error;
  int is_written = write_jpeg(&writing, pixels, width, height, options);
  jpeg_destroy_compress(&writing.jpeg);
  *count = writing.count;
  if (is_written) return writing.bytes;
  free(writing.bytes);
  return NULL;
}

uint8_t *image_encoder_webp(const uint8_t *pixels, int width, int height, int is_lossless, size_t *count) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 90) || !WebPPictureInit(&picture)) return NULL;
  config.lossless = is_lossless;
  // Transparent pixels keep their colours.
  config.exact = 1;
  picture.use_argb = is_lossless;
  picture.width = width;
  picture.height = height;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  int is_written = WebPPictureImportRGBA(&picture, pixels, width * 4) && WebPEncode(&config, &picture);
  WebPPictureFree(&picture);
  *count = writer.size;
  if (is_written) return writer.mem;
  WebPMemoryWriterClear(&writer);
  return NULL;
}
#endif
