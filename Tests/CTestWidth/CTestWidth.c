#include <stdlib.h>

#include "CTestWidth.h"

// Swift Testing starts all tests at once, which then wait for each other's turns on few cores so long that their
// timeouts end them. Its width is an option of the command line or this variable, read after constructors have run;
// what the caller has set stays.
__attribute__((constructor)) static void limit_parallel_tests(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
