"""A beacon played on the default sound device; the arrow keys turn and tilt the head, q ends it."""

import curses

import aurient


def main(screen):
    yaw = pitch = 0
    screen.timeout(50)
    with aurient.LiveSession(style="wood", head_reference="north", latency="low") as session:
        session.add_beacon_around("Fountain", bearing=45, distance=20)
        while (key := screen.getch()) != ord("q"):
            yaw = (yaw + 5 * ((key == curses.KEY_RIGHT) - (key == curses.KEY_LEFT))) % 360
            pitch = max(-90, min(90, pitch + 5 * ((key == curses.KEY_UP) - (key == curses.KEY_DOWN))))
            session.push_head(yaw, pitch)
            for beacon in session.beacons():
                where = f"{beacon.relative_bearing or 0:+4.0f} degrees to the right, {beacon.region}"
                screen.addstr(0, 0, f"heading {yaw:3}, pitch {pitch:+3}: {beacon.name} {where:40}")


curses.wrapper(main)
