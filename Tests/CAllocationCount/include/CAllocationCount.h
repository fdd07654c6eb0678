#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Counts what the calling thread asks of the heap and of locks, for tests that must show that a piece
 * of code asks for nothing. Linked into an executable, it stands in for glibc's malloc and mutexes. */

/* Whether calls are counted; they are not where a sanitizer watches the heap. */
bool counts_calls(void);

/* Calls of malloc, calloc, realloc, free, posix_memalign and aligned_alloc by this thread so far. */
uint64_t heap_call_count(void);

/* Calls of pthread_mutex_lock by this thread so far. */
uint64_t lock_count(void);

#endif
