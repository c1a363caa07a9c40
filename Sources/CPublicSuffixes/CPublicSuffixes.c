#include "CPublicSuffixes.h"

// Of C23, and known to clang in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char list[] = {
#embed "public_suffix_list.dat"
};

const unsigned char *stagecoach_public_suffixes(size_t *count) {
  *count = sizeof list;
  return list;
}
