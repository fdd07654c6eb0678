"""A beacon in the north-east while the head turns once around: ten seconds, written to turn.wav."""

import wave

import aurient

with aurient.Session(sample_rate=48_000, head_reference="north") as session, wave.open("turn.wav", "wb") as file:
    file.setparams((2, 2, session.sample_rate, 0, "NONE", ""))
    session.add_beacon_around("Fountain", bearing=45, distance=20)
    for step in range(1000):
        session.push_head(yaw=0.36 * step)
        frames = session.pull(480)
        file.writeframes((frames.clip(-1, 1) * 32_767).astype("<i2").tobytes())
