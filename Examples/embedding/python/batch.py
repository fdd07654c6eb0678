"""The example walk past forty beacons, with traces, rendered on all cores to folder `walks`; run again, it goes on."""

import pathlib

import aurient

WALK = pathlib.Path(__file__).resolve().parents[2] / "walk"


def scene(number):
    place = {"name": "Fountain", "latitude": 51.476 + 1e-4 * (number // 8), "longitude": -0.003 + 1e-4 * (number % 8)}
    return {"track": WALK / "walk.gpx", "head": WALK / "head.csv", "phone": WALK / "phone.csv", "beacons": [place]}


if __name__ == "__main__":
    results = aurient.render_many(
        {f"walk-{number:02}": scene(number) for number in range(40)},
        "walks",
        format="flac",
        traces=True,
        skip_existing=True,
        progress=lambda done, total, one: print(f"{done}/{total} {one.output.name} {one.status}"),
    )
    for one in results:
        if one.message:
            print(f"{one.output.name}: {one.message}")
