#pragma once
#include <stddef.h>

// What a pass over a document counts.
typedef struct {
  long elements;
  long attributes;
  long text;
} xml_counts;

// Drives libxml2's push parser with handlers that count; 0 if the document is well formed.
int xml_count(const char *bytes, size_t count, size_t chunk, xml_counts *counts);

// Builds a tree with libxml2's own handlers and frees it; the number of children of the root, or -1.
long xml_build(const char *bytes, size_t count, size_t chunk);
