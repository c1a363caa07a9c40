#pragma once

// GETs of one URL with libcurl's multi interface on this thread, so many at a time; 0 if each was answered with 200.
// The connections are kept from one call to the next.
int curl_peer_get(const char *url, int count, int concurrency);
