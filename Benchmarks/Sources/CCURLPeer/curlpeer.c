#include "curlpeer.h"
#include <curl/curl.h>
#include <stdlib.h>

static CURLM *multi;

// As a client does it that collects the body.
static size_t collect(char *bytes, size_t size, size_t count, void *length) {
  (void)bytes;
  *(size_t *)length += size * count;
  return size * count;
}

int curl_peer_get(const char *url, int count, int concurrency) {
  if (!multi) {
    if (!(multi = curl_multi_init())) return 1;
    // As many connections as the other side has.
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 8L);
  }
  CURL **handles = calloc((size_t)concurrency, sizeof *handles);
  size_t *lengths = calloc((size_t)concurrency, sizeof *lengths);
  struct curl_slist *fields = curl_slist_append(NULL, "User-Agent: stagecoach-benchmarks (Linux; Swift 6.3)");
  int failures = !handles || !lengths;
  int started = 0;
  for (; !failures && started < concurrency && started < count; started++) {
    CURL *handle = handles[started] = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &lengths[started]);
    curl_multi_add_handle(multi, handle);
  }
  int running = 1;
  while (!failures && running) {
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *handle = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
      failures += message->data.result != CURLE_OK || status != 200;
      curl_multi_remove_handle(multi, handle);
      if (started < count) {
        started++;
        running = 1;
        curl_multi_add_handle(multi, handle);
      }
    }
    if (running) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  for (int index = 0; handles && index < concurrency; index++)
    if (handles[index]) curl_easy_cleanup(handles[index]);
  curl_slist_free_all(fields);
  free(handles);
  free(lengths);
  return failures;
}
