// An embedder imports this module alone; the values that its types are made of come with it.
@_exported public import Compass
@_exported public import Files
@_exported public import Geometry
@_exported public import HRTF
@_exported public import HeadTracking
@_exported public import MotionLog
@_exported public import Navigation
@_exported public import SpatialAudio
