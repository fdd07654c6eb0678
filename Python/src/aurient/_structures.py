"""The structures of aurient.h, field by field; tests/test_header.py holds them against a C compiler's."""

from __future__ import annotations

from ctypes import CFUNCTYPE, Structure, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint64, c_void_p
from typing import Any, Optional

PROGRESS = CFUNCTYPE(c_int32, c_double, c_void_p)


class Name(Structure):
    """aurient_name"""

    _fields_ = [("name", c_char * 256), ("is_standard", c_int32), ("reserved", c_int32)]
    name: bytes
    is_standard: int


class Fidelity(Structure):
    """aurient_fidelity"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("direction_count", c_uint64),
        ("spectral_distortion_mean", c_double),
        ("spectral_distortion_p95", c_double),
        ("time_error_mean", c_double),
        ("time_error_p95", c_double),
        ("level_error_mean", c_double),
        ("level_error_p95", c_double),
        ("is_mirrored", c_int32),
        ("reserved", c_int32),
    ]
    struct_size: int
    direction_count: int
    spectral_distortion_mean: float
    spectral_distortion_p95: float
    time_error_mean: float
    time_error_p95: float
    level_error_mean: float
    level_error_p95: float
    is_mirrored: int


class RenderOptions(Structure):
    """aurient_render_options"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("scene_path", c_char_p),
        ("output_path", c_char_p),
        ("trace_path", c_char_p),
        ("plot_path", c_char_p),
        ("hrtf", c_char_p),
        ("sample_rate", c_int32),
        ("thread_count", c_int32),
        ("progress", PROGRESS),
        ("progress_context", c_void_p),
    ]
    struct_size: int
    scene_path: Optional[bytes]
    output_path: Optional[bytes]
    trace_path: Optional[bytes]
    plot_path: Optional[bytes]
    hrtf: Optional[bytes]
    sample_rate: int
    thread_count: int
    progress: Any


class SessionOptions(Structure):
    """aurient_session_options"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("scene_path", c_char_p),
        ("hrtf", c_char_p),
        ("sound", c_char_p),
        ("style", c_char_p),
        ("route", c_char_p),
        ("gain", c_double),
        ("sample_rate", c_int32),
        ("beacon_capacity", c_int32),
        ("head_reference", c_int32),
        ("calibrator", c_int32),
        ("is_yaw_only", c_int32),
        ("is_near_field", c_int32),
        ("osc_port", c_int32),
        ("opentrack_port", c_int32),
        ("listen_address", c_char_p),
        ("is_head_inverse", c_int32),
        ("latency", c_int32),
        ("device", c_char_p),
        ("record_folder", c_char_p),
        ("gpsd", c_char_p),
        ("nmea", c_char_p),
    ]
    struct_size: int
    scene_path: Optional[bytes]
    hrtf: Optional[bytes]
    sound: Optional[bytes]
    style: Optional[bytes]
    route: Optional[bytes]
    gain: float
    sample_rate: int
    beacon_capacity: int
    head_reference: int
    calibrator: int
    is_yaw_only: int
    is_near_field: int
    osc_port: int
    opentrack_port: int
    listen_address: Optional[bytes]
    is_head_inverse: int
    latency: int
    device: Optional[bytes]
    record_folder: Optional[bytes]
    gpsd: Optional[bytes]
    nmea: Optional[bytes]


class State(Structure):
    """aurient_state"""

    _fields_ = [
        ("struct_size", c_size_t),
        ("time", c_double),
        ("latitude", c_double),
        ("longitude", c_double),
        ("heading", c_double),
        ("heading_source", c_int32),
        ("tracking", c_int32),
        ("heading_uncertainty", c_double),
        ("head_heading", c_double),
        ("course", c_double),
        ("phone_heading", c_double),
        ("location_age", c_double),
        ("course_age", c_double),
        ("phone_age", c_double),
        ("head_age", c_double),
        ("peak", c_double),
        ("is_location_stale", c_int32),
        ("is_playing", c_int32),
        ("has_ended", c_int32),
        ("reopenings", c_int32),
        ("route_place", c_int32),
        ("route_count", c_int32),
        ("beacon_count", c_int32),
        ("reserved", c_int32),
        ("frame_count", c_uint64),
        ("refused_count", c_uint64),
    ]
    struct_size: int
    time: float
    latitude: float
    longitude: float
    heading: float
    heading_source: int
    tracking: int
    heading_uncertainty: float
    head_heading: float
    course: float
    phone_heading: float
    location_age: float
    course_age: float
    phone_age: float
    head_age: float
    peak: float
    is_location_stale: int
    is_playing: int
    has_ended: int
    reopenings: int
    route_place: int
    route_count: int
    beacon_count: int
    frame_count: int
    refused_count: int


class BeaconState(Structure):
    """aurient_beacon_state"""

    _fields_ = [
        ("name", c_char * 128),
        ("latitude", c_double),
        ("longitude", c_double),
        ("bearing", c_double),
        ("distance", c_double),
        ("relative_bearing", c_double),
        ("presence", c_int32),
        ("region", c_int32),
    ]
    name: bytes
    latitude: float
    longitude: float
    bearing: float
    distance: float
    relative_bearing: float
    presence: int
    region: int
