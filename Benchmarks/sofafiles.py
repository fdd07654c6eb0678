"""Measurements in the form that a peer needs, and made-up ones of any size."""
import os
import h5py, numpy, soundfile

from measure import KEMAR


def write_definition(folder):
    """Writes KEMAR as a definition of makehrtf: rings of 10 degrees, those below -40 left out."""
    with h5py.File(KEMAR) as file:
        responses, positions = file["Data.IR"][:], file["SourcePosition"][:]
        rate = int(file["Data.SamplingRate"][0])
    rings = [positions[numpy.abs(positions[:, 1] - elevation) < 0.1] for elevation in range(-90, 91, 10)]
    counts = [len(ring) or len(rings[-1 - index]) or 1 for index, ring in enumerate(rings)]
    path = os.path.join(folder, "kemar.def")
    with open(path, "w") as output:
        output.write(f"rate = {rate}\ntype = stereo\npoints = {responses.shape[2]}\nradius = 0.09\n"
                     f"distance = 1.4\nazimuths = {', '.join(map(str, counts))}\n")
        lines = []
        for index, (azimuth, elevation, _) in enumerate(positions):
            ring = round((elevation + 90) / 10)
            number = round((360 - azimuth) % 360 / 360 * counts[ring]) % counts[ring]
            # Full scale is the greatest sample: some are beyond 1.
            soundfile.write(os.path.join(folder, f"{index}.wav"),
                            responses[index].T / numpy.abs(responses).max(), rate, "PCM_24")
            lines.append((ring, number, f'[ {ring}, {number} ] = wave (0) : "./{index}.wav" left'
                                        f' + wave (1) : "./{index}.wav" right\n'))
        output.writelines(line for _, _, line in sorted(lines))
    return path


def write_dense(path, count, taps=512, rate=48000.0):
    """Writes a spherical head's responses, two decaying resonances behind Woodworth's delay."""
    index = numpy.arange(count) + 0.5
    height = 1 - 2 * index / count
    azimuth, elevation = numpy.degrees(numpy.pi * (1 + 5 ** 0.5) * index) % 360, numpy.degrees(numpy.arcsin(height))
    lateral = numpy.arcsin(numpy.cos(numpy.radians(elevation)) * numpy.sin(numpy.radians(azimuth)))
    with h5py.File(path, "w") as file:
        for name, value in {"Conventions": "SOFA", "Version": "1.0", "SOFAConventions": "SimpleFreeFieldHRIR",
                            "SOFAConventionsVersion": "1.0", "DataType": "FIR", "RoomType": "free field",
                            "Title": "spherical head"}.items():
            file.attrs[name] = numpy.bytes_(value)
        for name, size in {"M": count, "R": 2, "E": 1, "N": taps, "C": 3, "I": 1}.items():
            file.create_dataset(name, (size,), dtype="f4").make_scale(name)

        def variable(name, values, dimensions, **attributes):
            data = file.create_dataset(name, data=numpy.asarray(values, "f8"))
            for axis, dimension in enumerate(dimensions):
                data.dims[axis].attach_scale(file[dimension])
            for attribute, value in attributes.items():
                data.attrs[attribute] = numpy.bytes_(value)

        samples = numpy.arange(taps)
        ears = []
        for side in (1, -1):
            onset = 30 - side * 0.0875 / 343 * (lateral + numpy.sin(lateral)) / 2 * rate
            after = samples - onset[:, None]
            wave = numpy.where(after >= 0, numpy.exp(-numpy.clip(after, 0, None) / 12)
                               * numpy.cos(after * (0.6 + 0.2 * height[:, None])), 0)
            ears.append(wave * (0.4 + 0.25 * side * numpy.sin(lateral))[:, None])
        variable("Data.IR", numpy.stack(ears, 1), "MRN")
        variable("Data.SamplingRate", [rate], "I", Units="hertz")
        variable("Data.Delay", [[0, 0]], "IR")
        variable("SourcePosition", numpy.stack([azimuth, elevation, numpy.full(count, 1.2)], 1), "MC",
                 Type="spherical", Units="degree, degree, metre")
        for name, value in {"ListenerPosition": [0, 0, 0], "ListenerView": [1, 0, 0],
                            "ListenerUp": [0, 0, 1]}.items():
            variable(name, [value], "IC", Type="cartesian", Units="metre")
        variable("ReceiverPosition", [[[0], [0.0875], [0]], [[0], [-0.0875], [0]]], "RCI", Type="cartesian",
                 Units="metre")
        variable("EmitterPosition", [[[0], [0], [0]]], "ECI", Type="cartesian", Units="metre")
