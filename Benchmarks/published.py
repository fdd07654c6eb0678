"""Microsoft Soundscape's calibration of head tracking as it was published, in plain Python: the peer of
`aurient head replay --calibrator classic`. A window of 200 differences against each reference, trusted if its
circular deviation is below 10 degrees, and one Kalman filter of sine and cosine."""
import csv, math

WINDOW, GATE, LEAST_ACCURACY = 200, 10.0, 0.1


class Window:
    def __init__(self):
        self.differences = []

    def add(self, reference, yaw):
        """An offset and its deviation in degrees, or None."""
        if reference is None:
            self.differences.clear()
            return None
        self.differences.append(math.radians((reference - yaw + 180) % 360 - 180))
        if len(self.differences) <= WINDOW:
            return None
        del self.differences[0]
        sine, cosine = sum(map(math.sin, self.differences)), sum(map(math.cos, self.differences))
        length = min(1, math.hypot(sine, cosine) / WINDOW)
        deviation = math.degrees(math.sqrt(-2 * math.log(length))) if length > 0 else math.inf
        if deviation >= GATE:
            return None
        self.differences.clear()
        return math.degrees(math.atan2(sine, cosine)), deviation


class Filter:
    def __init__(self):
        self.direction = self.time = None
        self.sine = self.cosine = self.variance = 0.0

    def update(self, direction, accuracy, time):
        sine, cosine = math.sin(math.radians(direction)), math.cos(math.radians(direction))
        noise = max(accuracy, LEAST_ACCURACY) ** 2
        if self.time is None:
            self.sine, self.cosine, self.variance = sine, cosine, noise
        else:
            self.variance += max(0, time - self.time)
            gain = self.variance / (self.variance + noise)
            self.sine += gain * (sine - self.sine)
            self.cosine += gain * (cosine - self.cosine)
            self.variance *= 1 - gain
        self.time = time
        self.direction = math.degrees(math.atan2(self.sine, self.cosine))


def references(path, column):
    """Times in milliseconds, and directions; None where one is negative, which is invalid."""
    with open(path, newline="") as file:
        rows = [(int(row["timestamp"]), float(row[column])) for row in csv.DictReader(file)]
    return [(time, value if value >= 0 else None) for time, value in rows]


def replay(head, phone, walk, out):
    """What `aurient head replay` does: reads the logs, calibrates, writes a row a frame."""
    series = [references(phone, "trueHeading"), references(walk, "course")]
    places, windows, filter = [-1, -1], [Window(), Window()], Filter()
    first = last = None
    with open(head, newline="") as log, open(out, "w", newline="") as file:
        rows = csv.reader(log)
        header = next(rows)
        time_column, yaw_column = header.index("timestamp"), header.index("yaw")
        writer = csv.writer(file)
        writer.writerow(["time_s", "yaw_deg", "offset_deg", "head_deg"])
        for row in rows:
            time, yaw = int(row[time_column]), (180 - math.degrees(float(row[yaw_column]))) % 360
            first = time if first is None else first
            if last is not None and time - last > 2000:
                windows, filter = [Window(), Window()], Filter()
            last = time
            for index, readings in enumerate(series):
                while places[index] + 1 < len(readings) and readings[places[index] + 1][0] <= time:
                    places[index] += 1
                reference = readings[places[index]][1] if places[index] >= 0 else None
                if estimate := windows[index].add(reference, yaw):
                    filter.update(*estimate, time / 1000)
            offset = filter.direction
            heading = None if offset is None else (yaw + offset) % 360
            writer.writerow([(time - first) / 1000, yaw, offset, heading])
