#!/usr/bin/env python3
"""Makes turned-listener.sofa from the KEMAR set that ships: 32-bit floats, cartesian places of a room
in which the listener stands at (1, 2, 1.2) and looks along +y, a delay for each direction and ear, and
azimuth 360 as well as 0. Prints the values that the tests expect.

needs: numpy netCDF4
"""
import os
import numpy as np
import netCDF4

here = os.path.dirname(os.path.abspath(__file__))
kemar = netCDF4.Dataset(os.path.join(here, "../../HRTF/MIT-KEMAR-44100.sofa"))
ir, pos = kemar["Data.IR"][:], kemar["SourcePosition"][:]
rows = [int(np.abs(pos - [azimuth, 0, 1.4]).sum(1).argmin()) for azimuth in range(0, 360, 30)]
rows = rows + rows[:1]
seen = np.array([[pos[r, 0], 0.0] for r in rows])
ir = ir[rows][:, :, 20:148]
a = np.radians(seen[:, 0])
# Ahead of the listener is +y of the room, its left is -x.
place = 1.4 * np.c_[-np.sin(a), np.cos(a), np.zeros(len(a))] + [1, 2, 1.2]

file = netCDF4.Dataset(os.path.join(here, "turned-listener.sofa"), "w", format="NETCDF4")
for key, value in dict(
    Conventions="SOFA", Version="2.1", SOFAConventions="SimpleFreeFieldHRIR", SOFAConventionsVersion="1.0",
    DataType="FIR", RoomType="free field", Title="Turned listener").items():
    file.setncattr(key, value)
for name, size in dict(I=1, C=3, R=2, E=1, N=128, M=len(rows)).items():
    file.createDimension(name, size)

def variable(name, dimensions, values, **attributes):
    v = file.createVariable(name, "f4", dimensions, zlib=True)
    v[:] = values
    for key, value in attributes.items():
        v.setncattr(key, value)

variable("ListenerPosition", ("I", "C"), [[1, 2, 1.2]], Type="cartesian", Units="metre")
variable("ListenerView", ("I", "C"), [[90, 0, 1]], Type="spherical", Units="degree, degree, metre")
variable("ListenerUp", ("I", "C"), [[0, 90, 1]])
variable("ReceiverPosition", ("R", "C", "I"), [[[0], [0.09], [0]], [[0], [-0.09], [0]]], Type="cartesian")
variable("SourcePosition", ("M", "C"), place, Type="cartesian", Units="metre")
variable("EmitterPosition", ("E", "C", "I"), np.zeros((1, 3, 1)), Type="cartesian")
variable("Data.IR", ("M", "R", "N"), ir)
variable("Data.SamplingRate", ("I",), [44100], Units="hertz")
variable("Data.Delay", ("M", "R"), 20 + np.arange(2 * len(rows)).reshape(-1, 2))
file.close()
for row in (0, 3, 11):
    print(row, ir[row, 0, 20:23], (ir[row] ** 2).sum(1))
