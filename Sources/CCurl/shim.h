#pragma once
// The checks of types in curl's headers are macros, which get in the way of the wrappers below.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

// Macros with casts, which Swift does not import, and what is a macro or part of an enumeration by version.
static const long stagecoach_curl_auth_basic = CURLAUTH_BASIC;
static const long stagecoach_curl_auth_digest = CURLAUTH_DIGEST;
static const long stagecoach_curl_auth_negotiate = CURLAUTH_NEGOTIATE;
static const long stagecoach_curl_auth_ntlm = CURLAUTH_NTLM;
static const long stagecoach_curl_netrc_ignored = CURL_NETRC_IGNORED;

// Whether a look-up of a name that nobody waits for any more is left behind, where curl would wait for it.
#if LIBCURL_VERSION_NUM >= 0x075700
static inline void stagecoach_curl_leave_look_ups(CURL *easy) { curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); }
#else
static inline void stagecoach_curl_leave_look_ups(CURL *easy) { (void)easy; }
#endif

// Keeps to HTTP and HTTPS.
static inline void stagecoach_curl_limit_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline curl_version_info_data *stagecoach_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }

// Swift calls no variadic functions: one wrapper for each type of argument.

static inline CURLcode stagecoach_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode stagecoach_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode stagecoach_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode stagecoach_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode stagecoach_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

// The bytes are not copied: they have to outlive the handle.
static inline CURLcode stagecoach_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
  return curl_easy_setopt(easy, option, &blob);
}

// For callbacks of data, whose type is that of both directions.
static inline CURLcode stagecoach_curl_set_data_callback(
  CURL *easy, CURLoption option, curl_write_callback callback
) {
  return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode stagecoach_curl_set_prerequest(CURL *easy, curl_prereq_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode stagecoach_curl_set_trailer(CURL *easy, curl_trailer_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, callback);
}

static inline CURLcode stagecoach_curl_set_open_socket(CURL *easy, curl_opensocket_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode stagecoach_curl_set_close_socket(CURL *easy, curl_closesocket_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

// The `SSL` of the connection that a transfer uses; NULL if there is none or the library is not OpenSSL.
static inline void *stagecoach_curl_get_openssl(CURL *easy) {
  struct curl_tlssessioninfo *info = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
  return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

// By which the library that is in use is told from another one.
static inline void *stagecoach_curl_address(void) {
  return (void *)curl_version_info;
}

static inline curl_socket_t stagecoach_curl_get_socket(CURL *easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

static inline long stagecoach_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t stagecoach_curl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline void *stagecoach_curl_get_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline struct curl_certinfo *stagecoach_curl_get_certificates(CURL *easy) {
  struct curl_certinfo *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_CERTINFO, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode stagecoach_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode stagecoach_curl_multi_set_socket(CURLM *multi, curl_socket_callback callback, void *data) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode stagecoach_curl_multi_set_timer(
  CURLM *multi, curl_multi_timer_callback callback, void *data
) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, data);
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// A transfer that ended: its handle and its result; NULL if there is none.
static inline CURL *stagecoach_curl_multi_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
