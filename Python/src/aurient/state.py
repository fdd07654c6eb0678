"""How a session and its beacons stand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Optional

from . import _structures as structures

HeadingSource = Literal["none", "head", "course", "phone"]
Tracking = Literal["unavailable", "inactive", "disconnected", "connected", "calibrated"]
Presence = Literal["sounding", "off", "waiting", "arrived"]
Region = Literal["none", "on", "near", "beside", "behind"]

# By the numbers of aurient.h.
HEADING_SOURCES: tuple[HeadingSource, ...] = ("none", "head", "course", "phone")
TRACKINGS: tuple[Tracking, ...] = ("unavailable", "inactive", "disconnected", "connected", "calibrated")
PRESENCES: tuple[Presence, ...] = ("sounding", "off", "waiting", "arrived")
REGIONS: tuple[Region, ...] = ("none", "on", "near", "beside", "behind")


@dataclass(frozen=True)
class State:
    """How a session stands. What is not known is None."""

    #: The session's clock, s.
    time: float
    #: The listener's place, degrees.
    latitude: Optional[float]
    longitude: Optional[float]
    #: The heading by which sound is presented, degrees.
    heading: Optional[float]
    #: What that was taken from: the calibrated head, the direction of travel, the phone's compass.
    heading_source: HeadingSource
    #: How far head tracking has come. "unavailable": no head has been heard of; "inactive": nothing uses it;
    #: "disconnected": frames came and do no longer; "connected": they come, where their zero lies is not known yet;
    #: "calibrated": the head's heading is known.
    tracking: Tracking
    #: Degrees within which the head's heading lies at 95 %.
    heading_uncertainty: Optional[float]
    #: The headings of each source, where they count, degrees.
    head_heading: Optional[float]
    course: Optional[float]
    phone_heading: Optional[float]
    #: Seconds since the newest of each.
    location_age: Optional[float]
    course_age: Optional[float]
    phone_age: Optional[float]
    head_age: Optional[float]
    #: The loudest sample of the beacons' own sounds since the state that was read before, 0 to 1.
    peak: float
    #: Whether the place is too old to be trusted, or there is none.
    is_location_stale: bool
    #: Whether the device of a live session is there; always so for a pulled one.
    is_playing: bool
    #: Whether a live session has ended, by its logs' end or by a fault.
    has_ended: bool
    #: How often a live session's device was opened anew.
    reopenings: int
    #: The place of the route that sounds, counted from 0, and how many there are; 0 of 0 without a route.
    route_place: int
    route_count: int
    #: Beacons that there are.
    beacon_count: int
    #: Frames pulled so far; 0 for a live session.
    frame_count: int
    #: Recentrings that had no head to recentre, and what else could not be carried out when its time had come.
    refused_count: int


@dataclass(frozen=True)
class BeaconState:
    """How a beacon stands."""

    name: str
    #: Its place, degrees.
    latitude: float
    longitude: float
    #: From the listener: degrees from north, and metres; 0 and 0 before the first place.
    bearing: float
    distance: float
    #: Degrees to the right of where the listener looks, (-180, 180]; None while no heading is known.
    relative_bearing: Optional[float]
    #: Whether it sounds, and if not, why: muted, another place of the route comes first, or the listener is there.
    presence: Presence
    #: The region around the listener that it lies in; "none" without a style, or without a heading yet.
    region: Region


def state(read: structures.State) -> State:
    """The state that the library has written."""
    return State(
        time=read.time,
        latitude=_known(read.latitude),
        longitude=_known(read.longitude),
        heading=_known(read.heading),
        heading_source=HEADING_SOURCES[read.heading_source],
        tracking=TRACKINGS[read.tracking],
        heading_uncertainty=_known(read.heading_uncertainty),
        head_heading=_known(read.head_heading),
        course=_known(read.course),
        phone_heading=_known(read.phone_heading),
        location_age=_known(read.location_age),
        course_age=_known(read.course_age),
        phone_age=_known(read.phone_age),
        head_age=_known(read.head_age),
        peak=read.peak,
        is_location_stale=bool(read.is_location_stale),
        is_playing=bool(read.is_playing),
        has_ended=bool(read.has_ended),
        reopenings=read.reopenings,
        route_place=read.route_place,
        route_count=read.route_count,
        beacon_count=read.beacon_count,
        frame_count=read.frame_count,
        refused_count=read.refused_count,
    )


def beacon_state(read: structures.BeaconState) -> BeaconState:
    """The beacon's state that the library has written."""
    return BeaconState(
        name=read.name.decode(errors="replace"),
        latitude=read.latitude,
        longitude=read.longitude,
        bearing=read.bearing,
        distance=read.distance,
        relative_bearing=_known(read.relative_bearing),
        presence=PRESENCES[read.presence],
        region=REGIONS[read.region],
    )


def _known(value: float) -> Optional[float]:
    return None if math.isnan(value) else value
