#!/usr/bin/env bash
# The ways of docs/verify.md, as they stand there, with a receipt file that was just made; and with one changed byte.
#
#   examples/verify/run.sh <receipt file>      with GATEWAY set, and `countersign` on the PATH
set -euo pipefail
receipt=$(realpath "$1")
COUNTERSIGN=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export COUNTERSIGN GATEWAY

block() { # <name>: the commands between the fences
    awk -v fence='```sh '"$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$COUNTERSIGN/docs/verify.md"
}

for way in countersign python; do
    [ -n "$(block $way)" ] || { echo "verify: docs/verify.md has no block \`$way\`" >&2; exit 1; }
    work=$(mktemp -d)
    cp "$receipt" "$work/receipt.json"
    (cd "$work" && bash -euc "$(block $way)")
    # Forged: another seed, so that the signature still holds, and the ledger committed to something else.
    sed 's/"seed":"A/"seed":"B/; t; s/"seed":"./"seed":"A/' "$receipt" >"$work/receipt.json"
    cmp -s "$receipt" "$work/receipt.json" && { echo "verify: nothing was forged" >&2; exit 1; }
    if (cd "$work" && bash -euc "$(block $way | tail -n 1)") >"$work/said" 2>&1; then
        echo "verify: $way took a forged receipt" >&2
        exit 1
    fi
    printf 'verify: %s: verified; forged: %s\n' "$way" "$(tail -n 1 "$work/said")"
    rm -rf "$work"
done
