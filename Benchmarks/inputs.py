"""What the benchmarks work on: walks, head logs and scenes, made the same way each time."""
import json, math, os

from measure import SOUND

START = 1_790_000_000_000


def _attitude(seconds):
    """Core Motion's yaw, pitch and roll in radians, and the quaternion, of a head that looks about."""
    yaw = math.radians(40 * math.sin(seconds) + 7 * math.sin(2.7 * seconds))
    pitch, roll = 0.05 * math.sin(2 * seconds), 0.03 * math.cos(1.6 * seconds)
    (sy, cy), (sp, cp), (sr, cr) = ((math.sin(a / 2), math.cos(a / 2)) for a in (yaw, pitch, roll))
    return yaw, pitch, roll, (cy * sp * cr - sy * cp * sr, cy * cp * sr + sy * sp * cr,
                              sy * cp * cr + cy * sp * sr, cy * cp * cr - sy * sp * sr)


def write_head(path, seconds, rate=100):
    """A log of head motion in the columns of the AWARE record. A minute's attitudes come again and again."""
    bodies = []
    for i in range(60 * rate):
        yaw, pitch, roll, quaternion = _attitude(i / rate)
        bodies.append(f"{roll:.7f},{pitch:.7f},{yaw:.7f},"
                      + ",".join(f"{part:.7f}" for part in quaternion) + "\n")
    with open(path, "w", buffering=1 << 20) as file:
        file.write("timestamp,roll,pitch,yaw,quaternionX,quaternionY,quaternionZ,quaternionW\n")
        for i in range(int(seconds * rate) + 1):
            file.write(f"{START + round(1000 * i / rate)},{bodies[i % len(bodies)]}")


def write_phone(path, seconds):
    """A phone's headings, ten a second."""
    with open(path, "w") as file:
        file.write("timestamp,magneticHeading,trueHeading,headingAccuracy\n")
        for i in range(int(seconds * 10)):
            heading = 180 + 5 * math.sin(i / 30)
            file.write(f"{START + 100 * i},{heading:.3f},{heading:.3f},12\n")


def write_walk(path, seconds):
    """A walk at 1.4 m/s to and fro, a place a second."""
    with open(path, "w") as file:
        file.write("timestamp,latitude,longitude,course,speed,horizontalAccuracy\n")
        for i in range(int(seconds) + 1):
            metres = 1.4 * abs((i + 2000) % 4000 - 2000)
            course = 180 * (i % 4000 >= 2000) + 4 * math.sin(1.7 * i)
            file.write(f"{START + 1000 * i},{51.5 + metres / 111_320:.8f},-0.1,{course % 360:.2f},1.4,3\n")


def write_scene(folder, seconds, sources, rate=100, **keys):
    """A scene of beacons all around, a kilometre away; returns its file."""
    os.makedirs(folder, exist_ok=True)
    write_walk(os.path.join(folder, "walk.csv"), seconds)
    write_head(os.path.join(folder, "head.csv"), seconds, rate)
    beacons = []
    for index in range(sources):
        angle = 2 * math.pi * index / sources
        beacons.append({"latitude": 51.5 + 0.01 * math.cos(angle), "longitude": -0.1 + 0.016 * math.sin(angle),
                        "name": f"b{index}", "gain": -30})
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as file:
        json.dump({"track": "walk.csv", "head": "head.csv", "sound": SOUND, "yawOnly": True,
                   "beacons": beacons} | keys, file)
    return path
