#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Starts or stops counting the allocations of this process.
void allocations_count(bool on);

/// How many allocations were counted so far.
uint64_t allocations_total(void);
