#!/usr/bin/env python3
"""Writes Examples/walk/walk.nmea: what a receiver would have sent along Examples/walk/walk.gpx.

Each point is an epoch of RMC, VTG and GGA: place to 1e-5 minutes (2 cm), course to 0.01 degrees,
speed to 0.001 knots. A bearing of exactly 0 with an accuracy of 0 is none. Standard library only.

  python3 Tests/Fixtures/make_walk_nmea.py
"""

import datetime
import functools
import operator
import pathlib
import xml.etree.ElementTree as ET

folder = pathlib.Path(__file__).parents[2] / "Examples/walk"
space = {"g": "http://www.topografix.com/GPX/1/0"}


def sentence(*fields):
    body = ",".join(fields)
    return f"${body}*{functools.reduce(operator.xor, body.encode()):02X}\r\n"


def minutes(degrees, width, positive, negative):
    hundred_thousandths = round(abs(degrees) * 60 * 1e5)
    whole, rest = divmod(hundred_thousandths, 60 * 100_000)
    letter = positive if degrees >= 0 else negative
    return f"{whole:0{width}d}{rest // 100_000:02d}.{rest % 100_000:05d}", letter


out = []
for point in ET.parse(folder / "walk.gpx").getroot().iterfind(".//g:trkpt", space):
    text = lambda name: point.findtext(f"g:{name}", namespaces=space)
    time = datetime.datetime.fromisoformat(text("time").replace("Z", "+00:00"))
    clock = time.strftime("%H%M%S.") + f"{time.microsecond // 1000:03d}"
    place = (*minutes(float(point.get("lat")), 2, "N", "S"), *minutes(float(point.get("lon")), 3, "E", "W"))
    knots = float(text("speed")) * 3600 / 1852
    unknown = float(text("bearing")) == 0 and float(text("bearingAccuracyDegrees")) == 0
    course = "" if unknown else f"{float(text('bearing')):.2f}"
    out.append(sentence("GPRMC", clock, "A", *place, f"{knots:.3f}", course, time.strftime("%d%m%y"), "", "", "A"))
    out.append(sentence("GPVTG", course, "T", "", "M", f"{knots:.3f}", "N", f"{knots * 1.852:.3f}", "K", "A"))
    out.append(sentence("GPGGA", clock, *place, "1", "09", "0.9", f"{float(text('ele')):.1f}", "M", "47.0", "M", "", ""))
with open(folder / "walk.nmea", "w", newline="") as file:
    file.writelines(out)
