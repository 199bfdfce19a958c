#!/usr/bin/env bash
# Four automations, started in four ways, and what came of them outside.
#
#   examples/automations.sh
#
# Starts `countersign dev` in a folder and on ports of its own, with stand-ins for Linear, Slack, Sentry and GitHub that
# speak their real protocols, so nothing leaves this machine; checks every step, and leaves nothing behind.
# COUNTERSIGN_BIN_DIR names a folder with `countersign` and `fakes` if they are built already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

heading() { printf '\n== %s\n' "$*"; }
die() {
    printf 'automations: %s\n' "$*" >&2
    exit 1
}

# field <name>: the first text of that name in the JSON on stdin.
field() { grep -o "\"$1\" *: *\"[^\"]*\"" | head -n 1 | sed 's/.*: *"\(.*\)"/\1/'; }

# until_true <command…>: within half a minute.
until_true() {
    for _ in $(seq 300); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    die "it never came true: $*"
}

work=$(mktemp -d)
# PostgreSQL does not run as root, so its folder must be one that others can go through; what is secret in it is not theirs.
place=$(mktemp -d)
chmod 755 "$place"
dev=
tidy_up() {
    if [ -n "$dev" ]; then
        kill "$dev" 2>/dev/null || true
        wait "$dev" 2>/dev/null || true
    fi
    rm -rf "$work" "$place"
}
trap tidy_up EXIT
trap 'exit 130' INT TERM

heading "Build"
if [ -n "${COUNTERSIGN_BIN_DIR:-}" ]; then
    binaries=$COUNTERSIGN_BIN_DIR
else
    cargo=cargo
    [ ! -d .sqlx ] || cargo=scripts/cargo
    "$cargo" build --locked --workspace --bins
    binaries=$(cargo metadata --locked --no-deps --format-version 1 | field target_directory)/debug
fi
export PATH=$binaries:$PATH

heading "Everything, with stand-ins for the services outside"
# Where Restate's program is; `dev` starts one of its own.
eval "$(scripts/services env | grep RESTATE_SERVER || true)"
unset COUNTERSIGN_DATABASE_URL COUNTERSIGN_OWNER_DATABASE_URL COUNTERSIGN_REDIS_URL
# Below the ports that outgoing connections are given, which come and go.
port=$((20000 + RANDOM % 12000))
countersign dev --dir "$place/dev" --port "$port" --json >"$work/ready.json" 2>"$work/dev.log" &
dev=$!
for _ in $(seq 1200); do
    [ ! -s "$work/ready.json" ] || break
    kill -0 "$dev" 2>/dev/null || die "it did not start: $(cat "$work/dev.log")"
    sleep 0.1
done
COUNTERSIGN_URL=$(field gateway <"$work/ready.json")
COUNTERSIGN_TOKEN_FILE=$(field owner_token_file <"$work/ready.json")
export COUNTERSIGN_URL COUNTERSIGN_TOKEN_FILE
slack=$(field slack <"$work/ready.json")
linear=$(field linear <"$work/ready.json")
for source in sentry github; do printf 'token-of-the-stand-ins' | countersign connections add "$source"; done

# effects <address> <text>: how many effects a stand-in had whose description holds the text.
effects() { curl -fsS "$1/_effects" | python3 -c 'import json, sys; print(sum(n for what, n in json.load(sys.stdin).items() if sys.argv[1] in what))' "$2"; }
# had <count> <address> <text>: that many, and no more.
had() { [ "$(effects "$2" "$3")" = "$1" ] || die "expected $1 × \`$3\` at $2: $(curl -fsS "$2/_effects")"; }
# id_of <automation> and newest_of <automation>: its id, and that of its newest run.
id_of() { countersign automations show "$1" --json | field id; }
newest_of() { countersign runs list --automation "$1" --json | grep -o 'run_[0-9a-f]*' | head -n 1; }

heading "Save them: each is a file"
countersign automations validate examples/automations/*.json
countersign automations apply examples/automations/*.json >"$work/hook"
countersign automations apply examples/automations/*.json # Nothing changed, so nothing is saved.
[ "$(countersign automations list --json | grep -o '"id":"aut_' | wc -l)" = 4 ] || die "there are not four"

heading "Who may do what without a question: each one exactly what it needs"
allow() { countersign rules set "$2" allow --automation "$(id_of "$1")" --reason 'reviewed with the automation'; }
allow 'Daily digest' slack.send_message
allow 'CI failure' linear.create_issue
allow 'CI failure' slack.send_message
allow 'File added' slack.send_message
allow 'Weekly report' slack.send_message # Filing it is asked about, each week.

heading "Daily digest: now, instead of at nine"
countersign automations run 'Daily digest' --wait
had 1 "$slack" 'Still to do (1):'
countersign automations run 'Daily digest' --input state=Done --wait # Nothing is done yet, so nobody is told.
had 1 "$slack" 'Still to do'

heading "CI failure: by a request of CI"
# The address and the token were printed when it was saved, this once. A token is never an argument of a command.
hook=$(grep -o '/v1/hooks/trg_[0-9a-f]*' "$work/hook" | head -n 1)
token=$(grep -o 'csn_[A-Za-z0-9_]*' "$work/hook" | head -n 1)
broken='{"repository":{"name":"web"},"build":{"branch":"main","commit":"4f2a9c1d7e","url":"https://ci.example/builds/42"}}'
knock() { # <idempotency key>: prints the id of the run
    printf 'Authorization: Bearer %s' "$token" | curl -fsS -H @- -H 'content-type: application/json' \
        -H "Idempotency-Key: $1" -d "$broken" "$COUNTERSIGN_URL$hook" | field id
}
run=$(knock build-42)
[ "$(knock build-42)" = "$run" ] || die "the same key twice is two runs"
countersign runs watch "$run"
had 1 "$linear" 'CI: web is broken on main'

heading "CI failure: no issue can be made, so Slack is told; and it is run again from there"
countersign rules set linear.create_issue deny --automation "$(id_of 'CI failure')"
run=$(knock build-43)
! countersign runs watch "$run" || die "it was denied, and succeeded"
had 1 "$linear" 'CI: web is broken on main'
had 1 "$slack" 'CI broke on main and no issue could be made (file: denied)'
allow 'CI failure' linear.create_issue
countersign runs rerun "$run" --watch
had 2 "$linear" 'CI: web is broken on main'

heading "File added: by an event of an application"
cat >"$work/events.json" <<'JSON'
[
  {"specversion": "1.0", "id": "1", "source": "/drive", "type": "drive.file_added",
   "data": {"folder": "/contracts", "name": "lease.pdf", "author": "Ada", "size": 204800}},
  {"specversion": "1.0", "id": "2", "source": "/drive", "type": "drive.file_added",
   "data": {"folder": "/holidays", "name": "beach.jpg", "author": "Ada", "size": 4096}}
]
JSON
countersign events publish "$work/events.json"
appeared() { [ -n "$(newest_of 'File added')" ]; }
until_true appeared
countersign runs watch "$(newest_of 'File added')"
had 1 "$slack" 'New contract: lease.pdf by Ada, 200 KB'
had 0 "$slack" 'beach'

heading "Weekly report: a person reads it first"
run=$(countersign automations run 'Weekly report')
waits() { countersign runs show "$run" --json | grep '"status" *: *"waiting"'; }
until_true waits
had 0 "$linear" 'Weekly report'
question=$(countersign runs show "$run" --json | field awaits)
countersign inbox approve "$question" --note 'read it' --wait 60s
countersign runs watch "$run"
had 1 "$linear" 'Weekly report'
had 1 "$slack" 'The weekly report is there'

heading "What is kept of it"
countersign runs show "$run"
countersign runs list
[ "$(countersign runs list --status succeeded --json | grep -o '"id":"run_' | wc -l)" = 6 ] || die "not every run succeeded"

printf '\nautomations: every step did as it says (%s s)\n' "$SECONDS"
