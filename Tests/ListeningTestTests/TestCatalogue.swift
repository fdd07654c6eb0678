import Aurient
import HRTF
import TestSupport

/// The shipped data sets, with the cache that all tests of a process share.
let testCatalogue = HRTFCatalogue(cache: HRTFCache(folder: convertedFolder))
