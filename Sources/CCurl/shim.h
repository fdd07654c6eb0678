/* What is used of libcurl's interface (curl.h; its numbers never change, see
 * https://curl.se/libcurl/abi.html). The library is loaded when needed, and Swift can neither call
 * functions with variable arguments nor through pointers to them: these do. */
#include <stddef.h>

typedef int (*aurient_curl_set)(void *handle, int option, ...);
typedef int (*aurient_curl_get)(void *handle, int info, ...);

static inline int aurient_curl_set_long(aurient_curl_set set, void *handle, int option, long value) {
  return set(handle, option, value);
}

static inline int aurient_curl_set_offset(aurient_curl_set set, void *handle, int option,
                                          long long value) {
  return set(handle, option, value);
}

static inline int aurient_curl_set_pointer(aurient_curl_set set, void *handle, int option,
                                           const void *value) {
  return set(handle, option, value);
}

typedef size_t (*aurient_curl_write)(char *data, size_t size, size_t count, void *user);

static inline int aurient_curl_set_writer(aurient_curl_set set, void *handle, int option,
                                          aurient_curl_write value) {
  return set(handle, option, value);
}

static inline long aurient_curl_get_long(aurient_curl_get get, void *handle, int info) {
  long value = 0;
  return get(handle, info, &value) == 0 ? value : -1;
}

static inline long long aurient_curl_get_offset(aurient_curl_get get, void *handle, int info) {
  long long value = 0;
  return get(handle, info, &value) == 0 ? value : -1;
}
