#pragma once
#include <errno.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <stddef.h>
#include <sys/socket.h>

// The most elements of an array in a reply: memory for them is taken before they arrive.
#define STAGECOACH_REDIS_MAX_ELEMENTS 1024

#if HIREDIS_MAJOR < 1
// Refuses larger arrays, which the parser of this version does not do itself. The original functions are the private data.
static inline void *stagecoach_redis_array(const redisReadTask *task, int elements) {
  redisReplyObjectFunctions *original = (redisReplyObjectFunctions *)task->privdata;
  return elements > STAGECOACH_REDIS_MAX_ELEMENTS ? NULL : original->createArray(task, elements);
}
#endif

// Prepares a new connection. The table must live as long as the connection.
static inline void stagecoach_redis_prepare(redisContext *context, redisReplyObjectFunctions *table) {
  fcntl(context->fd, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  int one = 1;
  setsockopt(context->fd, SOL_SOCKET, SO_NOSIGPIPE, &one, sizeof(one));
#endif
#if HIREDIS_MAJOR < 1
  *table = *context->reader->fn;
  table->createArray = stagecoach_redis_array;
  context->reader->privdata = context->reader->fn;
  context->reader->fn = table;
#else
  (void)table;
  context->reader->maxelements = STAGECOACH_REDIS_MAX_ELEMENTS;
#endif
}

// The error of a connection that was being made; 0 if it stands.
static inline int stagecoach_redis_connect_error(redisContext *context) {
  int error = 0;
  socklen_t count = sizeof(error);
  return getsockopt(context->fd, SOL_SOCKET, SO_ERROR, &error, &count) == 0 ? error : errno;
}

// Sends bytes without raising SIGPIPE, which redisBufferWrite does. Returns the number of bytes, or the negated errno.
static inline ptrdiff_t stagecoach_redis_send(redisContext *context, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
  ssize_t sent = send(context->fd, bytes, count, MSG_NOSIGNAL);
#else
  ssize_t sent = send(context->fd, bytes, count, 0);
#endif
  return sent >= 0 ? sent : -errno;
}
