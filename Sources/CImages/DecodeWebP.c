#ifdef STAGECOACH_IMAGES
#include "CImages.h"
#include <stdio.h>
#include <webp/decode.h>

static stagecoach_image_status failure(stagecoach_image_job *job, VP8StatusCode code) {
  stagecoach_image_status status = stagecoach_image_malformed;
  const char *text = "the bit stream is damaged";
  switch (code) {
  case VP8_STATUS_NOT_ENOUGH_DATA:
  case VP8_STATUS_SUSPENDED:
    status = stagecoach_image_truncated;
    text = "the data ends before the image does";
    break;
  case VP8_STATUS_UNSUPPORTED_FEATURE:
    status = stagecoach_image_unsupported;
    text = "libwebp does not support a feature of it";
    break;
  case VP8_STATUS_OUT_OF_MEMORY:
    status = stagecoach_image_memory;
    text = "there is not enough memory";
    break;
  default:
    break;
  }
  snprintf(job->message, sizeof job->message, "%s", text);
  return status;
}

stagecoach_image_status stagecoach_image_decode_webp(stagecoach_image_job *job) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return failure(job, VP8_STATUS_UNSUPPORTED_FEATURE);
  VP8StatusCode code = WebPGetFeatures(job->bytes, job->count, &config.input);
  if (code != VP8_STATUS_OK) return failure(job, code);
  if (config.input.has_animation) return failure(job, VP8_STATUS_UNSUPPORTED_FEATURE);
  if (config.input.width < 0 || (uint32_t)config.input.width != job->width || config.input.height < 0 ||
      (uint32_t)config.input.height != job->height)
    return failure(job, VP8_STATUS_BITSTREAM_ERROR);
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = job->pixels;
  config.output.u.RGBA.stride = (int)job->stride;
  config.output.u.RGBA.size = job->stride * (job->height - 1) + (size_t)job->width * 4;
  code = WebPDecode(job->bytes, job->count, &config);
  WebPFreeDecBuffer(&config.output);
  return code == VP8_STATUS_OK ? stagecoach_image_ok : failure(job, code);
}
#endif
