#!/usr/bin/env bash
# From an empty database to a receipt that is verified without the server.
#
#   examples/first-action.sh
#
# Starts everything it needs on loopback, on ports and in a database of its own, checks every step, and leaves
# nothing behind. The outside service here is a stand-in for Linear that speaks its real protocol, so nothing
# leaves this machine. COUNTERSIGN_BIN_DIR names a folder with `countersign` and `fakes` if they are built already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

heading() { printf '\n== %s\n' "$*"; }
die() {
    printf 'first-action: %s\n' "$*" >&2
    exit 1
}

# field <name>: the first text of that name in the JSON on stdin.
field() { grep -o "\"$1\" *: *\"[^\"]*\"" | head -n 1 | sed 's/.*: *"\(.*\)"/\1/'; }

# ends_with <exit code> <command…>: runs the command, and what it says is in $said.
ends_with() {
    local wanted=$1 code=0
    shift
    said=$("$@" 2>&1) || code=$?
    [ "$code" = "$wanted" ] || die "expected exit code $wanted, got $code from: $*"$'\n'"$said"
}

# holds <text> <what it is about>: $said contains the text.
holds() { [[ $said == *"$1"* ]] || die "$2: expected \`$1\` in:"$'\n'"$said"; }

# What was started is stopped by its process id, however this script ends.
work=$(mktemp -d)
database=
gateway=
fakes=
tidy_up() {
    local pid
    for pid in $gateway $fakes; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    if [ -n "$database" ]; then "$psql" -X -q "$server/postgres" -c "DROP DATABASE IF EXISTS $database WITH (FORCE)" || true; fi
    rm -rf "$work"
}
trap tidy_up EXIT
trap 'exit 130' INT TERM

heading "Services: PostgreSQL and Redis"
scripts/services up postgres redis
eval "$(scripts/services env)"
server=${COUNTERSIGN_OWNER_DATABASE_URL%/*}
psql=$(command -v psql || find /usr/lib/postgresql -path '*/bin/psql' 2>/dev/null | sort -V | tail -n 1)
[ -n "$psql" ] || die "psql is missing; install postgresql-client"

heading "Build"
if [ -n "${COUNTERSIGN_BIN_DIR:-}" ]; then
    binaries=$COUNTERSIGN_BIN_DIR
else
    # Checked SQL is read from .sqlx/; a tree without it needs DATABASE_URL, and then plain cargo.
    cargo=cargo
    [ ! -d .sqlx ] || cargo=scripts/cargo
    "$cargo" build --locked --workspace --bins
    binaries=$(cargo metadata --locked --no-deps --format-version 1 | field target_directory)/debug
fi
export PATH=$binaries:$PATH
command -v countersign >/dev/null || die "no countersign in $binaries"

heading "A database of its own"
database="first_action_$$_$(date +%s)"
"$psql" -X -q -v ON_ERROR_STOP=1 "$server/postgres" -c "CREATE DATABASE $database"
export COUNTERSIGN_OWNER_DATABASE_URL=$server/$database
export COUNTERSIGN_DATABASE_URL=${COUNTERSIGN_DATABASE_URL%/*}/$database
# Two roles: the owner changes the schema; the service owns nothing and sees one org at a time.
countersign migrate

heading "A stand-in for Linear"
fakes >"$work/addresses" &
fakes=$!
for _ in $(seq 2400); do
    if [ -s "$work/addresses" ] || ! kill -0 "$fakes" 2>/dev/null; then break; fi
    sleep 0.05
done
COUNTERSIGN_LINEAR_URL=$(field linear <"$work/addresses")
[ -n "$COUNTERSIGN_LINEAR_URL" ] || die "the stand-ins did not start"
export COUNTERSIGN_LINEAR_URL

heading "An org, and its owner's token"
# The master key opens what is sealed. It is made once, kept apart from the database, and never printed here.
(umask 077 && countersign master-key create >"$work/master.key")
export COUNTERSIGN_MASTER_KEY_FILE=$work/master.key
# Nothing on this machine or in its network may be called, unless it is named here.
export COUNTERSIGN_EGRESS_ALLOW=127.0.0.0/8
owner=$(countersign init --org acme --name 'Acme Inc.' --email ada@acme.example --owner Ada --json | field token)
[[ $owner == csn_api_* ]] || die "init gave no token"

heading "The gateway"
# Any free port. Another process could take it in between; then the start fails, and so does this script.
# Below the ports that outgoing connections are given, which come and go.
port=$((20000 + RANDOM % 12000))
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
export COUNTERSIGN_LISTEN=127.0.0.1:$port COUNTERSIGN_URL=http://127.0.0.1:$port
countersign serve 2>"$work/serve.log" &
gateway=$!
ready() { countersign receipts keys >/dev/null 2>&1; }
for _ in $(seq 200); do
    ! ready || break
    kill -0 "$gateway" 2>/dev/null || die "the gateway ended at its start: $(cat "$work/serve.log")"
    sleep 0.05
done
ready || die "the gateway is not ready: $(cat "$work/serve.log")"
echo "listens at $COUNTERSIGN_URL"

heading "As the owner: connect Linear"
# From stdin, because arguments stand in process lists. From now on nobody can read the credential back.
export COUNTERSIGN_TOKEN=$owner
printf 'lin_api_test' | countersign connections add linear --name acme
ends_with 0 countersign connections list --json
[[ $said != *lin_api_test* ]] || die "the credential was shown"

heading "As the owner: open a session for an agent"
# The agent gets this token and nothing else: no key of Linear, no way to approve what it asks for.
agent=$(countersign sessions create --agent triage-bot 2>/dev/null)
[[ $agent == csn_ses_* ]] || die "no session token"

heading "As the agent: what can be done"
export COUNTERSIGN_TOKEN=$agent
countersign actions list --source linear

heading "As the agent: read (200)"
ends_with 0 countersign actions run linear.list_issues --json
holds '"status":"succeeded"' "listing issues"
holds 'An issue that was there before' "listing issues"
echo "$said" | field title

heading "As the agent: write, which needs a person (202, exit code 4)"
issue='{"team_id":"team-1","title":"Written by an agent"}'
# Without --no-wait the command would wait for the person.
ends_with 4 countersign actions run linear.create_issue --params "$issue" --no-wait --json
holds '"status":"pending"' "creating an issue"
echo "waits for a person: $(field id <<<"$said")"

heading "As the owner: a rule; as the agent: refused by it (403, exit code 3)"
COUNTERSIGN_TOKEN=$owner countersign rules set linear.add_comment deny --reason 'agents do not comment'
comment='{"issue":"11111111-1111-4111-8111-111111111111","body":"hello"}'
ends_with 3 countersign actions run linear.add_comment --params "$comment" --json
holds '"status":403' "a denied action"
holds '"code":"denied"' "a denied action"
refusal=$(field receipt <<<"$said")
[[ $refusal == rcp_* ]] || die "a refusal leaves a receipt too"
echo "refused, with the receipt $refusal"

heading "As the agent: the same key twice is one effect and one receipt"
ends_with 0 countersign actions run linear.list_issues --key first-action-1 --json
invocation=$(field id <<<"$said")
receipt=$(field receipt <<<"$said")
holds '"replayed":false' "the first request"
ends_with 0 countersign actions run linear.list_issues --key first-action-1 --json
holds '"replayed":true' "the repeated request"
[ "$(field id <<<"$said")" = "$invocation" ] || die "a repeat is another invocation"
[ "$(field receipt <<<"$said")" = "$receipt" ] || die "a repeat has another receipt"
echo "$invocation, twice, with $receipt"

heading "As a stranger with a receipt file: the ways of docs/verify.md"
countersign receipts show "$receipt" --proof --out "$work/bundle.json"
GATEWAY=$COUNTERSIGN_URL examples/verify/run.sh "$work/bundle.json"

heading "The same with the record of the change: who set the rule"
COUNTERSIGN_TOKEN=$owner countersign changes list --change rule.set
change=$(COUNTERSIGN_TOKEN=$owner countersign changes list --change rule.set --json | grep -o 'chg_[0-9a-f]*' | head -n 1)
COUNTERSIGN_TOKEN=$owner countersign changes show "$change" --proof --out "$work/change.json"
GATEWAY=$COUNTERSIGN_URL examples/verify/run.sh "$work/change.json"

heading "Save the receipt and the public keys, then stop the gateway"
countersign receipts show "$receipt" --out "$work/receipt.json"
countersign receipts keys --out "$work/keys.json"
kill "$gateway"
wait "$gateway" || die "the gateway did not end well: $(tail -n 5 "$work/serve.log")"
gateway=
! ready || die "the gateway still answers"

heading "Verify, with nobody to ask"
unset COUNTERSIGN_TOKEN COUNTERSIGN_URL COUNTERSIGN_DATABASE_URL COUNTERSIGN_MASTER_KEY_FILE
ends_with 0 countersign receipts verify "$work/receipt.json" --keys "$work/keys.json"
echo "$said"
key=$(field public_key <"$work/keys.json")
ends_with 0 countersign receipts verify "$work/receipt.json" --key "$key"
echo "genuine by the public key alone: $key"

heading "One character changed: no longer genuine (exit code 1)"
# The payload is base64; one character in its middle becomes another one.
payload=$(field payload <"$work/receipt.json")
middle=$((${#payload} / 2))
was=${payload:middle:1}
now=A
[ "$was" != A ] || now=B
printf '%s' "$(<"$work/receipt.json")" | sed "s|$payload|${payload:0:middle}$now${payload:middle+1}|" >"$work/forged.json"
! cmp -s "$work/receipt.json" "$work/forged.json" || die "nothing was changed"
ends_with 1 countersign receipts verify "$work/forged.json" --keys "$work/keys.json"
echo "$said"
ends_with 1 countersign receipts verify "$work/forged.json" --key "$key"

printf '\nfirst-action: every step did as it says (%s s)\n' "$SECONDS"
