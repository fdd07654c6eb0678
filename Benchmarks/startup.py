"""How soon a command is done: what a shell or a script waits for."""
import statistics, sys

from inputs import write_scene
from measure import Row


def run(bench):
    rounds = bench.rounds(100, 20)
    rows = [Row("aurient --version", 1000 * statistics.median(bench.aurient("--version").wall for _ in range(rounds)), "ms",
                goal="<= 15")]
    scene = write_scene(bench.path("second"), 1, 1)
    render = lambda: bench.aurient("render", scene, "-o", bench.path("second/out.wav"))
    render()
    rows.append(Row("render of one second, warm", 1000 * statistics.median(render().wall for _ in range(rounds)), "ms",
                    goal="<= 150"))
    for module in ("scipy.signal", "sofar", "slab"):
        python = lambda: bench.run([sys.executable, "-c", f"import {module}"])
        python()
        rows.append(Row(f"for scale: python3 -c 'import {module}'",
                        1000 * statistics.median(python().wall for _ in range(max(3, rounds // 10))), "ms"))
    yield "Start", rows
