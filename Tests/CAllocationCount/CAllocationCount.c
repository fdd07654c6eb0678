#include "CAllocationCount.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static _Thread_local uint64_t heap_calls;
static _Thread_local uint64_t locks;

uint64_t heap_call_count(void) { return heap_calls; }
uint64_t lock_count(void) { return locks; }

/* Sanitizers stand in for the same functions. */
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

bool counts_calls(void) { return false; }

#else

bool counts_calls(void) { return true; }

/* glibc's own functions behind the names taken over here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);
int glibc_mutex_lock(pthread_mutex_t *mutex);
#if defined(__x86_64__)
__asm__(".symver glibc_mutex_lock, __pthread_mutex_lock@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver glibc_mutex_lock, __pthread_mutex_lock@GLIBC_2.17");
#endif

void *malloc(size_t size) {
  heap_calls += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  heap_calls += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  heap_calls += 1;
  return __libc_realloc(block, size);
}

void free(void *block) {
  heap_calls += 1;
  __libc_free(block);
}

void *aligned_alloc(size_t alignment, size_t size) {
  heap_calls += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  heap_calls += 1;
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  locks += 1;
  return glibc_mutex_lock(mutex);
}

#endif
