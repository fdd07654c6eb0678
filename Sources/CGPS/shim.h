#include <gps.h>
// The structures change with the version, and the library of just this one is loaded.
_Static_assert(GPSD_API_MAJOR_VERSION == 11, "gps.h is not that of libgps.so.28");
