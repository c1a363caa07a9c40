#pragma once

// GETs of one URL with libcurl's multi interface on this thread, so many at a time, over at most so many connections;
// 0 if each was answered with 200. The connections are kept from one call to the next.
int curl_peer_get(const char *url, int count, int concurrency, int connections);

// One exchange with libcurl's easy interface: a GET, or a POST of `upload` bytes if that is not 0. Returns the length
// of the response body, or -1 unless the answer is a 200. The connection is kept from one call to the next.
long long curl_peer_transfer(const char *url, long long upload);
