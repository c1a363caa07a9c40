#ifndef STAGECOACH_PUBLIC_SUFFIXES_H
#define STAGECOACH_PUBLIC_SUFFIXES_H

#include <stddef.h>

/// The octets of the Public Suffix List, which live as long as the program, and in `count` how many there are.
const unsigned char *stagecoach_public_suffixes(size_t *count);

#endif
