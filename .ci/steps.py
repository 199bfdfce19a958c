"""Everything that must hold before a change goes in, from a clean clone on a new machine.

Steps run side by side: a step starts as soon as the steps it needs are over and the machine has room for it. The output of a
step is printed when it ends. The last lines are a table of all steps with their times, the end of what each failed step
printed, and the summary of the tests.
A failed step does not stop the others, unless they need it; the exit status is 1 if any step failed.

    .ci/run                 all steps
    .ci/run fmt tests       these steps and what they need
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE = os.path.expanduser("~/.cache/countersign")


@dataclass
class Step:
    name: str
    command: str
    needs: tuple = ()
    # How much of the machine it takes: compiling and tests use both cores, trials mostly wait.
    load: int = 1
    state: str = "waiting"
    began: float = 0.0
    ended: float = 0.0
    # Seconds of processor time of the step's own processes; servers that run beside it are not counted.
    processor: float = 0.0
    log: str = ""
    summary: list = field(default_factory=list)


# Attacks that are tests are run, counted and judged by `abuse/run`, which lists their modules, and not twice.
with open(os.path.join(ROOT, "abuse/run")) as attacks:
    ATTACKS = "test(/^attacks::(%s)::/)" % "|".join(re.findall(r"^    \[\d+\]='(\w+)\|", attacks.read(), re.M))

# In the order of their importance: of those that could start, the first one does. What takes longest stands first.
STEPS = [
    # Installing waits for the network, and is done while the compiler works.
    Step("services", "scripts/services up", load=0),
    Step("packages of the web", "scripts/web packages", load=0),
    Step("browser", "scripts/web browser", load=0),
    Step("tools", "scripts/tools nextest typos verifier solver", load=0),
    Step("MCP clients", "scripts/mcp-sdks --install", load=0),
    Step("web app", "scripts/web build", needs=("packages of the web",)),
    Step("fmt", "scripts/lint fmt"),
    # One build for everything that runs below; clippy and the check of SQL are part of it.
    Step("build", "scripts/built", needs=("tools", "services"), load=3),
    # Faults, attacks and journeys mostly wait, so they run beside each other.
    Step("faults", "chaos/run --size ci", needs=("build", "services"), load=1),
    Step("tests", f"scripts/cargo nextest run --workspace --locked --profile ci --color never -E 'not {ATTACKS}'",
         needs=("build", "services", "tools", "web app"), load=2),
    Step("attacks", "abuse/run --size ci", needs=("build", "services", "tools", "web app", "browser", "tests"), load=2),
    Step("journeys", "scripts/web journeys", needs=("build", "services", "web app", "browser"), load=1),
    Step("web checks", "scripts/web check", needs=("web app", "build"), load=1),
    Step("first action", "examples/first-action.sh", needs=("build", "services")),
    Step("automations", "examples/automations.sh", needs=("build", "services")),
    Step("MCP SDKs", "scripts/mcp-sdks", needs=("build", "services", "MCP clients")),
    # cargo-deny and cargo-machete would be compiled for minutes, so they run only where they are installed; what cargo-deny
    # forbids by name is also held by crates/app/tests/it/edges.rs.
    Step("lint", "scripts/lint deny typos machete", needs=("tools",)),
]
CAPACITY = 4


def environment():
    env = dict(os.environ)
    env.setdefault("CARGO_TARGET_DIR", f"{CACHE}/target")
    env.setdefault("COUNTERSIGN_TOOLS_DIR", f"{CACHE}/tools")
    tools = env["COUNTERSIGN_TOOLS_DIR"]
    env["PATH"] += f":{tools}/bin:{tools}/py/bin"
    env["CARGO_TERM_COLOR"] = "never"
    # An error is one sentence. With its backtrace it would not be among the last lines, which are repeated at the end.
    env["RUST_LIB_BACKTRACE"] = "0"
    # A registry of packages may not answer at once.
    env["PIP_RETRIES"], env["PIP_DEFAULT_TIMEOUT"] = "10", "60"
    return env


def make_room(env, needed=30 << 30):
    """Removes what earlier runs built of our own crates where the disk could fill up during this one.

    Every clone has its own copy of that (a crate's folder is part of its name), and nothing else removes the old ones.
    """
    target = env["CARGO_TARGET_DIR"]
    os.makedirs(target, exist_ok=True)
    free = shutil.disk_usage(target).free
    if free < needed:
        print(f"== {free >> 30} GiB are free: removing what earlier runs built", flush=True)
        subprocess.run(["cargo", "clean", "--workspace", "--quiet", "--locked"], cwd=ROOT, env=env, check=False)


class Run:
    def __init__(self, steps, folder):
        self.steps, self.folder = steps, folder
        self.env = environment()
        make_room(self.env)
        self.built = {"COUNTERSIGN_BUILT": f"{folder}/built"}
        self.changed = threading.Condition()
        self.start = time.monotonic()

    def state(self, name):
        return next((step.state for step in self.steps if step.name == name), "passed")

    def next(self):
        used = sum(step.load for step in self.steps if step.state == "running")
        for step in self.steps:
            if step.state != "waiting":
                continue
            states = [self.state(name) for name in step.needs]
            if "failed" in states or "left out" in states:
                step.state = "left out"
            elif all(state == "passed" for state in states) and used + step.load <= CAPACITY:
                return step
        return None

    def work(self, step):
        step.log = os.path.join(self.folder, re.sub(r"\W+", "-", step.name) + ".log")
        env = dict(self.env)
        # `build` writes there what the steps after it find built.
        env.update(self.built if "build" in step.needs else {"COUNTERSIGN_BUILT_INTO": self.built["COUNTERSIGN_BUILT"]})
        with open(step.log, "wb") as log:
            process = subprocess.Popen(["bash", "-c", step.command], cwd=ROOT, env=env, stdout=log, stderr=log,
                                       stdin=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
        step.processor = used.ru_utime + used.ru_stime
        with self.changed:
            step.state = "passed" if status == 0 else "failed"
            step.ended = time.monotonic()
            self.show(step)
            self.changed.notify_all()

    def show(self, step):
        with open(step.log, errors="replace") as log:
            lines = log.read().splitlines()
        # All of it where something is wrong, as far as it can be read; otherwise how it ended.
        most = 400 if step.state == "failed" else 120
        print(f"\n== step {step.name}: {step.state} ({step.ended - step.began:.0f} s)")
        if len(lines) > most:
            print(f"   … {len(lines) - most} lines before")
        print("\n".join(lines[-most:]), flush=True)
        for at, line in enumerate(lines):
            if re.match(r" +Summary \[", line) and step.name == "tests":
                step.summary = lines[at:]

    def all(self):
        with self.changed:
            while any(step.state in ("waiting", "running") for step in self.steps):
                while (step := self.next()) is not None:
                    step.state, step.began = "running", time.monotonic()
                    print(f"== step {step.name}: started at {step.began - self.start:.0f} s", flush=True)
                    threading.Thread(target=self.work, args=(step,), daemon=True).start()
                if any(step.state == "running" for step in self.steps):
                    self.changed.wait()
        self.table()
        return all(step.state == "passed" for step in self.steps)

    def table(self):
        print("\n| step | started at | seconds | processor seconds | result |\n|---|---:|---:|---:|---|")
        for step in sorted(self.steps, key=lambda step: step.began):
            took = step.ended - step.began if step.ended else 0
            print(f"| {step.name} | {max(step.began - self.start, 0):.0f} | {took:.0f} | {step.processor:.0f} | {step.state} |")
        took = time.monotonic() - self.start
        print(f"\n== all steps: {took:.0f} s ({took / 60:.1f} minutes)")
        for step in self.steps:
            if step.state == "failed":
                # Again, because whoever sees only the end of this must see why.
                with open(step.log, errors="replace") as log:
                    print(f"\n== {step.name} failed:\n" + "".join(line[:2000] for line in log.readlines()[-80:]))
        for step in self.steps:
            if step.summary:
                print("\n".join(step.summary))
        sys.stdout.flush()


def chosen(names):
    known = {step.name: step for step in STEPS}
    for name in names:
        if name not in known:
            sys.exit(f"ci: unknown step `{name}`; choose from {', '.join(known)}")
    wanted = set(names)
    while more := {need for name in wanted for need in known[name].needs} - wanted:
        wanted |= more
    return [step for step in STEPS if not names or step.name in wanted]


def main():
    with tempfile.TemporaryDirectory(prefix="countersign-ci-") as folder:
        sys.exit(0 if Run(chosen(sys.argv[1:]), folder).all() else 1)


if __name__ == "__main__":
    main()
