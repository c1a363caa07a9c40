#include "curlpeer.h"
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

static CURLM *multi;

// As a client does it that collects the body.
static size_t collect(char *bytes, size_t size, size_t count, void *length) {
  (void)bytes;
  *(size_t *)length += size * count;
  return size * count;
}

int curl_peer_get(const char *url, int count, int concurrency, int connections) {
  if (!multi && !(multi = curl_multi_init())) return 1;
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)connections);
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

// Gives `left` bytes, as they would come from a buffer of the caller.
static size_t provide(char *bytes, size_t size, size_t count, void *left) {
  long long *rest = left;
  size_t length = size * count;
  if ((long long)length > *rest) length = (size_t)*rest;
  memset(bytes, 'a', length);
  *rest -= (long long)length;
  return length;
}

long long curl_peer_transfer(const char *url, long long upload) {
  static CURL *handle;
  if (!handle && !(handle = curl_easy_init())) return -1;
  size_t received = 0;
  long long left = upload;
  struct curl_slist *fields = curl_slist_append(NULL, "Expect:");
  curl_easy_reset(handle);
  curl_easy_setopt(handle, CURLOPT_URL, url);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, collect);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &received);
  if (upload) {
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)upload);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, provide);
    curl_easy_setopt(handle, CURLOPT_READDATA, &left);
  }
  long status = 0;
  CURLcode code = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl_slist_free_all(fields);
  return code == CURLE_OK && status == 200 && left == 0 ? (long long)received : -1;
}
