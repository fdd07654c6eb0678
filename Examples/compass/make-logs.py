#!/usr/bin/env python3
"""Simulates the raw logs of a phone's magnetometer in this folder. Needs numpy.

turn.csv     the phone is turned about all axes, in figures of eight, for 30 s
walk.csv     the phone is held in the hand along Examples/walk, where for 20 s, from the 200th second on,
             30 uT come from the east
"""
import csv
import pathlib

import numpy as np

here = pathlib.Path(__file__).resolve().parent
rng = np.random.default_rng(1)

# The field at the walk's first place and day by the World Magnetic Model of 2025, uT and degrees.
STRENGTH, DIP, DECLINATION = 49.13, 66.53, 1.24
EARTH = STRENGTH * np.array([0, np.cos(np.radians(DIP)), -np.sin(np.radians(DIP))])
HARD_IRON = np.array([22, -27, 14])
SOFT_IRON = np.array([[1.15, 0.08, 0], [0.08, 1, 0], [0, 0, 1]])
NOISE = 0.5


def attitude(heading, pitch, roll):
    """The rotation from the phone's axes to east, north, up."""
    h, p, r = np.radians([-heading, pitch, roll])
    z = np.array([[np.cos(h), -np.sin(h), 0], [np.sin(h), np.cos(h), 0], [0, 0, 1]])
    x = np.array([[1, 0, 0], [0, np.cos(p), -np.sin(p)], [0, np.sin(p), np.cos(p)]])
    y = np.array([[np.cos(r), 0, np.sin(r)], [0, 1, 0], [-np.sin(r), 0, np.cos(r)]])
    return z @ x @ y


def write(name, rows):
    with open(here / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["timestamp", "mag_x", "mag_y", "mag_z", "gravityX", "gravityY", "gravityZ"])
        for time, rotation, source in rows:
            field = SOFT_IRON @ (rotation.T @ (EARTH + source)) + HARD_IRON + rng.normal(0, NOISE, 3)
            gravity = rotation.T @ [0, 0, -1]
            out.writerow([time, *(f"{v:.2f}" for v in field), *(f"{v:.4f}" for v in gravity)])


with open(here.parent / "walk" / "phone.csv") as file:
    phone = list(csv.DictReader(file))
start = int(phone[0]["timestamp"])

turn = np.linspace(0, 2 * np.pi, 750)
write("turn.csv", [
    (start - 60_000 + 40 * i,
     attitude(np.degrees(a), 75 * np.sin(7 * a), 216 * np.sin(3.5 * a)), np.zeros(3))
    for i, a in enumerate(turn)])
write("walk.csv", [
    (int(row["timestamp"]),
     attitude(float(row["trueHeading"]) - DECLINATION, 35 + 3 * np.sin(i), 4 * np.sin(0.7 * i)),
     np.array([30, 0, 0]) if 200_000 <= int(row["timestamp"]) - start < 220_000 else np.zeros(3))
    for i, row in enumerate(phone[::3])])
