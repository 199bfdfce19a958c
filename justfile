# The verbs. What they do is in scripts, so that nobody needs `just` to work here.

# List the verbs.
default:
    @just --list --unsorted

# Type-check everything.
check:
    scripts/cargo check --workspace --all-targets

# Unit and integration tests; arguments go to nextest.
test *args:
    scripts/services up postgres redis
    scripts/cargo nextest run --workspace {{ args }}

# From an empty database to a verified receipt, through the real binary.
e2e:
    scripts/services up
    examples/first-action.sh

# The official SDKs of the Model Context Protocol, as agents of the real binary.
mcp-sdks:
    scripts/mcp-sdks

# Format, clippy, dependencies, spelling.
lint:
    scripts/lint

# PostgreSQL, Redis and Restate on loopback: up, down, status, env.
services *args="status":
    scripts/services {{ args }}

# Run the gateway against the local services.
dev *args:
    scripts/dev {{ args }}

# Speed, against the bare servers in the same run.
bench *args:
    bench/run {{ args }}

# Faults: what must not be lost, doubled or stuck.
chaos *args:
    chaos/run {{ args }}

# Attacks, each with the run that shows its guard is needed.
abuse *args:
    abuse/run {{ args }}

# Write the offline data of checked SQL into .sqlx/ (after changing a query or a migration).
sqlx verb="prepare":
    scripts/sqlx {{ verb }}

# Known vulnerabilities of the dependencies; needs the network.
advisories:
    scripts/advisories
