#!/usr/bin/env python3
"""Verifies receipts, change records and logs of Countersign, offline. Written from docs/ledger.md; shares no code with
the one in Rust. Needs Python 3.11 and the package `cryptography`."""
import argparse, base64, hashlib, json, re, sys
from datetime import date
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring as quoted
from pathlib import Path
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
try:
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PublicKey
    MLDSA65PublicKey.from_public_bytes(bytes(1952))
except (ImportError, UnsupportedAlgorithm): MLDSA65PublicKey = None  # Too old: second signatures of checkpoints are not checked.

ENTRY, KEY_SET = "countersign/entry/v1", "countersign/keys/v1"
PARTS = {"receipt": ["error", "idempotency_key", "inputs", "outputs", "repair", "rollback", "verification", "shown"],
         "change": ["address", "after", "before", "name", "reason"]}  # Both kinds of signed documents, and their parts.
VERSIONS = {kind: f"countersign/{kind}/v1" for kind in PARTS}
PAYLOAD_TYPES = {f"application/vnd.countersign.{kind}+json": kind for kind in PARTS}
MAX_ENVELOPE, MAX_BUNDLE, MAX_KEYS, MAX_NOTE = 16 << 20, (16 << 20) + (256 << 10), 1 << 20, 64 << 10
MAX_DEPTH, MAX_INTEGER, CLOCK_SKEW, RESERVED = 64, 2**53 - 1, 300, "$serde_json::private::"

class Refused(Exception):
    """Something is not genuine: a name from docs/ledger.md, and more for a person."""

def need(what, code, detail=""):
    if not what: raise Refused(code, detail)
    return what

def attempt(check, *of):  # What a check gives, and what is wrong.
    try: return check(*of), []
    except Refused as refusal: return None, [refusal.args]

# --- JSON: one text has one meaning, and one document has one form in bytes (RFC 8785). ---

def read_members(pairs):
    members = dict(pairs)
    need(len(members) == len(pairs), "twice", "a key occurs twice")
    return members

# `-0` is read as a fraction, which no field that counts takes.
DECODER = json.JSONDecoder(object_pairs_hook=read_members, parse_int=lambda text: -0.0 if text == "-0" else int(text))

def read_json(data, limit, code, twice=None):
    """The document and its canonical form; refused where two readers could understand it differently."""
    need(len(data) <= limit, code, "larger than allowed")
    try:
        value = DECODER.decode(data.decode())
        return value, canonical(value)
    except (Refused, ValueError, RecursionError) as error:
        raise Refused(twice if twice and error.args[0] == "twice" else code, str(error.args[-1])) from None

def canonical(value): return canonical_text(value, 0).encode()  # Half a surrogate pair cannot be encoded: a ValueError.

def canonical_text(value, depth):
    kind = type(value)
    if kind is str and "\0" not in value: return quoted(value)
    if kind is dict and depth < MAX_DEPTH and not any(key.startswith(RESERVED) for key in value):
        keys = sorted(value) if "".join(value).isascii() else sorted(value, key=lambda key: key.encode("utf-16-be"))
        members = [canonical_text(key, 0) + ":" + canonical_text(value[key], depth + 1) for key in keys]
        return "{" + ",".join(members) + "}"
    if kind is list and depth < MAX_DEPTH: return f"[{','.join([canonical_text(item, depth + 1) for item in value])}]"
    if kind is int and abs(value) <= MAX_INTEGER: return str(value)
    if kind is float and abs(value) <= MAX_INTEGER: return double_text(value)
    if value is None: return "null"
    if kind is bool: return "true" if value else "false"
    raise ValueError("a text with U+0000, a number beyond 2^53 - 1, a reserved key, or more than 64 levels")

def double_text(value):
    """A double as ECMAScript writes it: with the fewest digits that read back, which Python finds as well."""
    _, digits, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    minus, digits = "-" if value < 0 else "", "".join(map(str, digits))
    point = len(digits) + exponent  # Where the decimal point stands, counted from the first digit.
    if len(digits) <= point <= 21: return minus + digits + "0" * (point - len(digits))
    if 0 < point <= 21: return minus + digits[:point] + "." + digits[point:]
    if -6 < point <= 0: return minus + "0." + "0" * -point + digits
    return f"{minus}{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{point - 1:+d}"

# --- Fields. `a` is a text, `a:shape` something else, `[shape]` a list; `a?` may be missing or null, `a*` missing. ---
# --- `a:maybe` is a text or null. Where the fields begin with `!`, there may be no others. ---

SHAPES = {shape: {name: (mark, of or "text") for name, mark, of in re.findall(r"(\w+|!)([?*]?)(?::(\S+))?", fields)}
          for shape, fields in {
    "receipt": """version id invocation org space session agent action definition_hash effect risk inputs:any
        outputs?:any artifacts*:[text] status error?:failure decision:decision approvals*:[approval] shown*:[any] shown_digest?
        verification?:followup repair?:followup rollback?:followup attempts:u32 timing:timing cost?:cost reward:reward
        idempotency_key? trace_id? refers_to*:[reference] dry_run*:flag""",
    "change": "version id org change subject name by:by address:maybe reason:maybe before:any after:any at",
    "failure": "class message sent:flag", "followup": "outcome detail", "reference": "receipt relation",
    "decision": "mode mode_source reason guardrails*:[guardrail] gates*:[gate]", "cost": "micros:count unit",
    "guardrail": "guardrail from to reason", "gate": "gate verdict reason", "signature": "! keyid sig",
    "approval": "user verdict channel shown_digest at", "logged": "index:count at", "keys": "version keys:[key]",
    "passkey": "user credential public_key", "by": "user:maybe method token:maybe",
    "timing": "requested_at started_at? finished_at duration_ms:count", "entry key_end": "! kind version keyid at",
    "reward": "success:i32 quality:i32 cost:i32 latency:i32 total:i32", "kept": "! facts:any salt erased:[text]",
    "key": "keyid algorithm public_key ml_dsa_65? not_before not_after? retired_at? begun?:logged ended?:logged",
    "envelope": "! payload payloadType signatures:[signature]", "proven": "! index:count entry:entry proof:[text]",
    "record": "! index:count entry:entry envelope?:envelope seed? kept?:kept",
    "bundle": "! record:record proof:[text] erasure?:proven checkpoint",
    "entry receipt": "! kind version org number:count id keyid commitment at",
    "entry change": "! kind version org number:count id keyid commitment at",
    "entry erasure": "! kind version org number:count id at",
    "entry key": "! kind version keyid public_key ml_dsa_65? not_before at",
}.items()}
TYPES = {"text": str, "flag": bool, "any": object, "maybe": str | None}
RANGES = {"count": range(2**53), "u32": range(2**32), "i32": range(-2**31, 2**31)}

def fits(value, shape):
    if shape in TYPES: return isinstance(value, TYPES[shape])
    if shape in RANGES: return type(value) is int and value in RANGES[shape]
    if shape[0] == "[": return type(value) is list and all(fits(item, shape[1:-1]) for item in value)
    if type(value) is not dict: return False
    fields = SHAPES.get(shape if shape != "entry" else f"entry {value.get('kind')}")
    return fields and not ("!" in fields and value.keys() - fields) and all(
        fits(value[name], of) if name in value and (mark != "?" or value[name] is not None) else mark
        for name, (mark, of) in fields.items() if name != "!")

# --- Hashes, base64 and time. ---

def sha256(*parts): return hashlib.sha256(b"".join(parts)).digest()

def from_hex(text): return bytes.fromhex(text) if re.fullmatch("[0-9a-f]{64}", text) else None

def from_base64(text, length=None):
    """The bytes, if it is standard base64 in its only form, and of that length."""
    try: data = base64.b64decode(text, validate=True)
    except ValueError: return None
    return data if base64.b64encode(data).decode() == text and length in (None, len(data)) else None

def from_base64url(text):
    """The bytes, if it is base64url without padding in its only form."""
    is_text = type(text) is str and re.fullmatch("[A-Za-z0-9_-]*", text)
    return from_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)) if is_text else None

def moment(text):
    """RFC 3339 in UTC as numbers to compare, from the year to the nanosecond; None where it is not."""
    match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z", str(text), re.ASCII)
    _, month, day, hour, minute, second = numbers = [*map(int, match.groups()[:6])] if match else [0] * 6
    in_calendar = 1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60
    return (*numbers, int((match[7] or "").ljust(9, "0"))) if in_calendar else None

def seconds(year, month, day, hour, minute, second, _nanosecond):
    return ((date(max(year, 1), month, 1).toordinal() + day) * 24 + hour) * 3600 + minute * 60 + second

# --- Keys. ---

TRUSTED, PRIME, MUST_HAVE = {}, 2**255 - 19, []  # The last: signatures that a checkpoint must have besides Ed25519.
ML_DSA = "ml-dsa-65"
EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # y of a point of order eight
WEAK = {0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH}  # y of the few points under which a signature says nothing

def height(point): return int.from_bytes(point, "little") % 2**255 % PRIME  # y of a point

class Key:
    def __init__(self, document):
        self.document, self.id, self.raw = document, document["keyid"], from_base64(document["public_key"], 32)
        is_named = document["algorithm"] == "ed25519" and self.raw and sha256(self.raw).hex()[:16] == self.id
        need(is_named, "keys", f"{self.id} is not an Ed25519 key, or not named after it")
        square = height(self.raw)**2
        on_curve = pow((square - 1) * (121666 - 121665 * square) * 121666, (PRIME - 1) // 2, PRIME) in (0, 1)
        need(on_curve and height(self.raw) not in WEAK, "keys", f"{self.id} cannot check a signature")
        self.point = Ed25519PublicKey.from_public_bytes(self.raw)
        second = document.get("ml_dsa_65")
        self.second = None if second is None else from_base64(second, 1952)
        need(second is None or self.second, "keys", f"the ML-DSA-65 key of {self.id}")
        times = [document.get(name) for name in ("not_before", "not_after", "retired_at")]
        times = [need(moment(time), "keys", f"a time of {self.id}") for time in times if time is not None]
        self.begin, self.end = times[0], min(times[1:], default=(10_000,))

    def covers(self, time): return self.begin <= time <= self.end

    def verifies(self, message, signature):
        try: self.point.verify(signature, message)
        except InvalidSignature: return False
        return height(signature[:32]) not in WEAK

    def verifies_second(self, message, signature):
        try: MLDSA65PublicKey.from_public_bytes(self.second).verify(signature, message)
        except (InvalidSignature, ValueError): return False
        return True

    def entries(self):  # What the log says of the key, each with its place.
        of, begun, ended = {"version": ENTRY, "keyid": self.id}, self.document.get("begun"), self.document.get("ended")
        fields = ("public_key", "ml_dsa_65", "not_before")
        more = {name: self.document[name] for name in fields if self.document.get(name) is not None}
        if begun: yield begun["index"], of | more | {"kind": "key", "at": begun["at"]}
        if ended: yield ended["index"], of | {"kind": "key_end", "at": ended["at"]}

def trust(data):
    document, _ = read_json(data, MAX_KEYS, "keys")
    need(fits(document, "keys") and document["version"] == KEY_SET, "keys", "not a key set")
    for key in map(Key, document["keys"]):
        need(TRUSTED.setdefault(key.id, key) is key, "keys", f"{key.id} is listed twice")

# --- Passkeys: a vote that its person signed over what was shown to them (WebAuthn). ---

PASSKEYS = []  # Where a list was given: the users with their credentials and public keys that are trusted.
SIGNED = ["authenticator_data", "client_data", "credential", "public_key", "signature"]
MAX_PASSKEYS, MAX_AUTHENTICATOR, MAX_CLIENT = 4 << 20, 2048, 4096
WAS_THERE = 0x01 | 0x04  # Touched by a person, whom the device knew.

def trust_passkeys(data):
    document, _ = read_json(data, MAX_PASSKEYS, "passkeys")
    items = document.get("items") if type(document) is dict else document
    need(fits(items, "[passkey]"), "passkeys", "not a list of passkeys")
    PASSKEYS.append({(item["user"], item["credential"], item["public_key"]) for item in items})

def check_approvals(document):
    """Every vote that is signed with a passkey, in a receipt or in the facts of one, that is otherwise genuine."""
    for approval, assertion in signed_approvals(document):
        need(type(assertion) is dict and {*assertion} == {*SIGNED}, "assertion_malformed", "other fields")
        check_assertion(document, approval, assertion)

def signed_approvals(document):
    approvals = document.get("approvals")
    for approval in approvals if type(approvals) is list else ():
        if type(approval) is dict and approval.get("assertion") is not None: yield approval, approval["assertion"]

def passkey(public_key):
    """What checks a signature and message. The form of the key alone decides the algorithm; None for any other form."""
    if len(public_key) == 65 and public_key[0] == 4:  # ES256: a point, which need not be on the curve.
        read = EllipticCurvePublicKey.from_encoded_point
        return lambda *signed: read(SECP256R1(), public_key).verify(*signed, ECDSA(SHA256()))
    modulus = int.from_bytes(public_key[32:-5], "big")  # RS256: a SubjectPublicKeyInfo, which ends with the exponent.
    if not (2048 <= modulus.bit_length() <= 4096 and modulus % 2): return None
    key = RSAPublicNumbers(65537, modulus).public_key()
    is_own_form = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) == public_key
    return (lambda *signed: key.verify(*signed, PKCS1v15(), SHA256())) if is_own_form else None

def check_assertion(document, approval, assertion):
    said, client, _, public_key, signature = decoded = [from_base64url(assertion[name]) for name in SIGNED]
    is_formed = None not in decoded and 37 <= len(said) <= MAX_AUTHENTICATOR and passkey(public_key)
    need(is_formed, "assertion_malformed", "a field is not base64url in its only form, or of another length or key")
    data, _ = read_json(client, MAX_CLIENT, "assertion_malformed")
    is_read = type(data) is dict and all(type(data.get(name)) is str for name in ("type", "challenge", "origin"))
    need(is_read, "assertion_malformed", "client_data lacks type, challenge or origin")
    need(data["type"] == "webauthn.get", "assertion_type", data["type"])
    statement = {name: document.get(name) for name in ("org", "invocation")} | {
        name: approval.get(name) for name in ("user", "verdict", "shown_digest")} | {"format": "countersign/vote/v1"}
    is_this = from_base64url(data["challenge"]) == sha256(canonical(statement))
    need(is_this, "assertion_statement", "another vote was signed, or over something else than was shown")
    site = re.fullmatch(r"(?:https://([a-z0-9._-]+)|http://(localhost))(?::[0-9]{1,5})?", data["origin"])
    is_own = site and data.get("crossOrigin") is not True and sha256((site[1] or site[2]).encode()) == said[:32]
    need(is_own, "assertion_site", data["origin"])
    need(said[32] & WAS_THERE == WAS_THERE, "assertion_presence", "the person did not show themselves")
    try: passkey(public_key)(signature, said + sha256(client))
    except (InvalidSignature, ValueError):
        raise Refused("assertion_signature", "not by this public key under these bytes") from None
    own = approval.get("user"), assertion["credential"], assertion["public_key"]
    need(all(own in trusted for trusted in PASSKEYS), "passkey_unknown", f"{own[1]} of {own[0]}")

# --- Shown documents: what people were shown before they voted. A vote names the digest of one. ---

def shown_digest(document): return "sha256:" + sha256(canonical(document)).hex()

def check_shown(receipt):
    own = [receipt.get(name) for name in ("org", "invocation", "action", "shown_digest")]
    named = {approval["shown_digest"] for approval in receipt.get("approvals", [])}
    for document in receipt.get("shown", []):
        is_own = type(document) is dict and [*map(document.get, ("org", "invocation", "action", "subject"))] == own
        need(is_own and shown_digest(document) in named, "shown_document", "of none of the votes, or about something else")

def told(document):
    """Of a change, what and by whom; of a receipt, who signed with what, and how many votes have their document."""
    if document["version"] == VERSIONS["change"]:
        by = " ".join(filter(None, [document["by"]["user"], f"({document['by']['method']})"]))
        return f"{document['id']}, {document['change']} of {document['subject']} by {by} at {document['at']}"
    votes, kept = document.get("approvals", []), {shown_digest(shown) for shown in document.get("shown", [])}
    documented = sum(vote["shown_digest"] in kept for vote in votes)
    by = [(approval["user"], sha256(from_base64url(assertion["public_key"])).hex())
          for approval, assertion in signed_approvals(document)]
    shown = [f", shown document of {documented} of {len(votes)} votes"] if documented else []
    return "".join([document["id"], *(f", signed with a passkey by {user} (sha256:{hash})" for user, hash in by), *shown])

# --- Receipts and changes, records, checkpoints, bundles. Each check gives what it proves. ---

def time_of(kind, document):  # When it happened, as the document says.
    within, name = (document, "at") if kind == "change" else (document.get("timing"), "finished_at")
    return within.get(name) if type(within) is dict else None

def check_envelope(envelope):
    """The receipt or the change, which of the two it is, and the key."""
    need(len(envelope["signatures"]) == 1, "signature_count", f"{len(envelope['signatures'])} instead of one")
    payload_type, [signature], payload = envelope["payloadType"], envelope["signatures"], from_base64(envelope["payload"])
    kind = need(PAYLOAD_TYPES.get(payload_type), "wrong_payload_type", payload_type)
    need(payload is not None, "payload_encoding", "not base64 in its only form")
    sig = need(from_base64(signature["sig"], 64), "signature_encoding", "not 64 bytes in base64 in its only form")
    key = need(TRUSTED.get(signature["keyid"]), "unknown_key", signature["keyid"])
    signed = f"DSSEv1 {len(payload_type)} {payload_type} {len(payload)} ".encode() + payload
    need(key.verifies(signed, sig), "bad_signature", f"not by {key.id} under these bytes")
    document, form = read_json(payload, MAX_ENVELOPE, "malformed_payload", "duplicate_key")
    need(form == payload, "not_canonical", "the payload is not in canonical form")
    need(type(document) is dict and document.get("version") == VERSIONS[kind], "unknown_version")
    need(fits(document, kind), f"{kind}_fields", "a field is missing or of the wrong kind")
    happened = need(moment(time_of(kind, document)), "time", "when it happened")
    need(key.covers(happened), "key_not_valid_then", f"{key.id} at {time_of(kind, document)}")
    if kind == "receipt":
        check_approvals(document)
        check_shown(document)
    return document, kind, key.id

def check_record(record):
    """The receipt or the change, or the facts of a receipt whose body was erased."""
    entry, envelope, seed, kept = map(record.get, ("entry", "envelope", "seed", "kept"))
    kind = entry["kind"]
    is_known = kind in PARTS and entry["version"] == ENTRY and from_hex(entry["commitment"])
    given = [what is not None for what in (envelope, seed, kept)]
    is_whole, is_kept = given == [True, True, False], given == [False, False, True] and kind == "receipt"
    need(is_known and (is_whole or is_kept), "unknown_entry", "not of a receipt or a change, or without one")
    if is_whole:
        seed = need(from_base64(seed, 32), "commitment_differs", "the seed is not 32 bytes in base64")
        document, *signed = check_envelope(envelope)
        need(signed == [kind, entry["keyid"]], "entry_differs", "it is of another kind, or names another key")
        facts, salt = {name: value for name, value in document.items() if name not in PARTS[kind]}, sha256(seed, b"facts")
        # Receipts of version 0.1 have no shown documents.
        parts = [part for part in PARTS[kind] if part != "shown" or part in document]
        hashes = [sha256(sha256(seed, part.encode()), canonical(document.get(part))) for part in parts]
    else:
        document = facts = kept["facts"]
        need(type(facts) is dict, "commitment_differs", "the facts are no object")
        need(facts.get("version") == VERSIONS[kind], "unknown_version")
        salt, hashes = from_base64(kept["salt"], 32), [from_hex(hash) for hash in kept["erased"]]
    for name in ("id", "org"):
        need(document.get(name) == entry[name], "entry_differs", f"it names another {name}")
    is_complete = salt and all(hashes) and len(hashes) in (len(PARTS[kind]) - 1, len(PARTS[kind]))
    is_own = is_complete and entry["commitment"] == sha256(
        b"countersign/commitment/v1\n", sha256(salt, canonical(facts)), *hashes).hex()
    need(is_own, "commitment_differs", "the log committed to something else")
    if is_kept: check_approvals(document)
    key = need(TRUSTED.get(entry["keyid"]), "unknown_key", entry["keyid"])
    ended, happened, logged = key.document.get("ended"), moment(time_of(kind, document)), moment(entry["at"])
    need(not ended or record["index"] <= ended["index"], "key_ended_in_log", f"{key.id} had ended in the log before this {kind} was added")
    need(happened and logged, "time", "when it happened, or when it was logged")
    need(seconds(*happened) <= seconds(*logged) + CLOCK_SKEW, "logged_too_early", f"at {entry['at']}")
    return document

@lru_cache(maxsize=16)
def check_note(note):
    """The name, the size and the root of a log, from a signed note."""
    match = len(note.encode()) <= MAX_NOTE and not re.search(r"[\0-\t\x0b-\x1f\x7f-\x9f]", note) and re.fullmatch(
        "([^\\s+]+)\n(0|[1-9][0-9]{,19})\n(.+)\ntime (.+)\n\n((?:\u2014 [^\\s+]+ .+\n){1,100})", note)
    need(match, "checkpoint_malformed", "not a signed note with a checkpoint")
    origin, size, root, time = match[1], int(match[2]), from_base64(match[3], 32), moment(match[4])
    lines = [line.split(" ", 2) for line in match[5].split("\n")[:-1]]
    signatures = [(name, from_base64(encoded) or b"") for _, name, encoded in lines]
    is_readable = size < 2**64 and root and time and all(len(signature) >= 4 for _, signature in signatures)
    need(is_readable, "checkpoint_malformed", "a number, a hash, a time or a signature")
    text, vouched = note[:match.start(5) - 1].encode(), False
    for signature in [signature for name, signature in signatures if name == origin]:
        named = [key for key in TRUSTED.values() if sha256(origin.encode(), b"\n\1", key.raw)[:4] == signature[:4]]
        for key in named[:1]:
            need(key.verifies(text, signature[4:]), "checkpoint_bad_signature", f"not by {key.id} under these lines")
            vouched = need(key.covers(time), "checkpoint_key_not_valid_then", f"{key.id} at {match[4]}")
    need(vouched, "checkpoint_unknown_key", "no trusted key signed it")
    also = check_second(text, [signature for name, signature in signatures if name == f"{origin}/{ML_DSA}"], origin, time)
    need(also or not MUST_HAVE, "checkpoint_not_post_quantum", "no trusted key signed it with ML-DSA-65")
    return origin, size, root

def check_second(text, signatures, origin, time):
    """Whether a trusted key also signed with ML-DSA-65."""
    also, head = False, f"{origin}/{ML_DSA}\n".encode() + b"\xffcountersign/" + ML_DSA.encode()
    for signature in signatures if MLDSA65PublicKey else ():
        named = [key for key in TRUSTED.values() if key.second and sha256(head, key.second)[:4] == signature[:4]]
        for key in named[:1]:
            is_good = key.verifies_second(text, signature[4:])
            need(is_good, "checkpoint_bad_signature", f"not by the ML-DSA-65 key of {key.id} under these lines")
            also = need(key.covers(time), "checkpoint_key_not_valid_then", key.id)
    return also

def node(left, right): return sha256(b"\1", left, right)
def leaf(entry): return sha256(b"\0", canonical(entry))

def root_of(hashes):
    while len(hashes) > 1:  # Where their number is odd, the last goes up as it is.
        hashes = [*map(node, hashes[::2], hashes[1::2])] + hashes[len(hashes) & ~1:]
    return hashes[0] if hashes else sha256()

def proven_root(hash, index, size, proof):
    """The root that a proof gives for a leaf, from the top down as in RFC 6962; None where its length is wrong."""
    if size == 1 or not proof: return hash if size == 1 and not proof else None
    left = 1 << (size - 1).bit_length() - 1  # The largest power of two below the size: so many leaves are on the left.
    below = proven_root(hash, *((index, left) if index < left else (index - left, size - left)), proof[:-1])
    return below and (node(below, proof[-1]) if index < left else node(proof[-1], below))

def check_bundle(bundle):
    record, erasure, document = bundle["record"], bundle.get("erasure"), check_record(bundle["record"])
    _, size, root = check_note(bundle["checkpoint"])
    def is_there(index, entry, proof):
        hashes = [from_base64(hash, 32) for hash in proof]
        return index < size and all(hashes) and proven_root(leaf(entry), index, size, hashes) == root
    need(is_there(record["index"], record["entry"], bundle["proof"]), "not_included", f"at {record['index']}")
    code = "not_erased" if record["entry"]["kind"] == "receipt" else "unknown_entry"  # Changes are never erased.
    need((erasure is None) == (record.get("kept") is None), code, "the log says otherwise of the body")
    if erasure is not None:
        is_own = [erasure["entry"].get(name) for name in ("kind", "version", "org", "id")] == [
            "erasure", ENTRY, document["org"], document["id"]]
        need(is_own and is_there(**erasure), "not_erased", "no entry of the log says that the body was erased")
    return document

def check_text(data):  # An envelope or a bundle; gives the receipt or the change, or the facts.
    is_bundle = any(name in data for name in (b'"record"', b'"proof"', b'"checkpoint"'))
    limit, what = (MAX_BUNDLE, "bundle") if is_bundle else (MAX_ENVELOPE, "envelope")
    value, _ = read_json(data, limit, f"malformed_{what}")
    need(is_bundle or not MUST_HAVE, "checkpoint_not_post_quantum", "a bare signature has no place in the ledger")
    need(fits(value, what), f"{what}_fields", "other fields than it should have")
    return check_bundle(value) if is_bundle else check_envelope(value)[0]

# --- A log in files. ---

def read_note(path):
    try: return check_note(path.read_bytes().decode())
    except (OSError, ValueError) as error: raise Refused("checkpoint_malformed", str(error)) from None

def read_tile(folder, level, index, width):
    path, rest = f"{index % 1000:03}", index // 1000
    while rest: path, rest = f"x{rest % 1000:03}/{path}", rest // 1000
    path = folder / "tile" / str(level) / (path + (f".p/{width}" if width < 256 else ""))
    data = path.read_bytes() if path.is_file() else b""
    need(len(data) == 32 * width, "tile_missing", f"{path}, with {width} hashes")
    return [data[at:at + 32] for at in range(0, len(data), 32)]

def read_leaves(folder, against):
    """Every leaf, if the tiles give the root that is signed and every root that somebody kept."""
    origin, size, root = read_note(folder / "checkpoint")
    kept = sorted(map(read_note, against), key=lambda checkpoint: checkpoint[1])
    for name, _, _ in kept:
        need(name == origin, "another_log", name)
    need(not kept or kept[-1][1] <= size, "shorter_than_kept", f"{size} entries")
    levels = []
    while width := size >> 8 * len(levels):
        tiles = (read_tile(folder, len(levels), at // 256, min(256, width - at)) for at in range(0, width, 256))
        levels.append([hash for tile in tiles for hash in tile])
    for level, above in enumerate(levels[1:]):
        for at, hash in enumerate(above):
            below = levels[level][256 * at:256 * at + 256]
            need(hash == root_of(below), "tile_differs", f"hash {at} of level {level + 1}")
    leaves = levels[0] if levels else []
    for _, length, kept_root in kept:
        need(root_of(leaves[:length]) == kept_root, "forked", f"at {length} entries")
    need(root_of(leaves) == root, "root_differs", "the leaves do not give the signed root")
    return leaves

def read_record(line):
    record, _ = read_json(line, MAX_BUNDLE, "malformed_bundle")
    need(fits(record, "record"), "bundle_fields", "other fields than a record has")
    return record

def check_erasure(record):
    is_alone = all(record.get(name) is None for name in ("envelope", "seed", "kept"))
    is_known = record["entry"]["version"] == ENTRY and not record["entry"]["id"].startswith("chg_")  # Not of a change.
    need(is_alone and is_known, "unknown_entry", "not of an erasure of a receipt, or not alone")

def check_places(entries, leaves, complete):
    """Each entry stands where it says, each org's numbers go up by one, and in a complete log there is nothing else."""
    last, following = {}, 0
    for index, entry in [*sorted(entries, key=lambda place: place[0]), (len(leaves), None)]:
        yield from (("unexplained_entry", f"at {at}") for at in range(following, min(index, len(leaves))) if complete)
        following = index + 1
        if entry and leaves[index:following] != [leaf(entry)]:
            yield "leaf_differs", f"{entry['kind']} {entry.get('id') or entry['keyid']} at {index}"
        if entry and "number" in entry:
            org, number, before = entry["org"], entry["number"], last.get(entry["org"], 0)
            last[org] = number
            if number == before: yield "number_twice", f"{number} of {org}"
            if number < before: yield "number_order", f"{number} of {org} after {before}"
            if number > before + 1: yield "number_missing", f"{before + 1} of {org}"

def check_log(folder, against, complete):
    """The size, how many receipts and changes there are, and what is wrong. Of another log than the signed one, only that."""
    leaves, findings = attempt(read_leaves, folder, against)
    if findings: return None, {}, findings
    entries, counts = [place for key in TRUSTED.values() for place in key.entries()], dict.fromkeys(PARTS, 0)
    erased, bodiless, path = set(), [], folder / "entries.ndjson"
    for line in path.open("rb") if path.is_file() else [b""]:
        record, wrong = attempt(read_record, line)
        if record:
            entry, is_erasure = record["entry"], record["entry"]["kind"] == "erasure"
            _, wrong = attempt(check_erasure if is_erasure else check_record, record)
            entries.append((record["index"], entry))
            if entry["kind"] in counts: counts[entry["kind"]] += 1
            if is_erasure and not wrong: erased.add((entry["org"], entry["id"]))
            if record.get("kept") and not wrong: bodiless.append((entry["org"], entry["id"]))
        findings += wrong
    gone = [("not_erased", id) for org, id in bodiless if (org, id) not in erased]
    return len(leaves), counts, [*findings, *check_places(entries, leaves, complete), *gone]

# --- What is typed, and what is told. ---

def texts_in(name):
    """A file holds one document over several lines, or one a line. Standard input has one a line."""
    with sys.stdin.buffer if name == "-" else open(name, "rb") as file:
        first = file.readline()
        yield first + file.read() if first.strip() == b"{" and name != "-" else first
        yield from file

def verdicts(typed):
    """Of each log, receipt or change: the verdict for a program, what is good about it, and what is wrong."""
    trust(typed.keys.read_bytes())
    if typed.passkeys: trust_passkeys(typed.passkeys.read_bytes())
    if typed.post_quantum: MUST_HAVE.append(need(ML_DSA if MLDSA65PublicKey else None, "keys", "`cryptography` is too old for ML-DSA"))
    for name in typed.names if typed.command == "log" else ():
        size, counts, wrong = check_log(Path(name), typed.against, typed.complete)
        findings = [{"code": code, "detail": detail} for code, detail in wrong]
        verdict = {"verified": not wrong, "findings": findings, "size": size, "dir": name}
        yield verdict, ", ".join([f"{size} entries", *(f"{count} {kind}s" for kind, count in counts.items())]), wrong
    for text in (text for name in typed.names if typed.command == "receipts" for text in texts_in(name)):
        document, wrong = attempt(check_text, text)
        verdict = {"verified": not wrong, "code": wrong[0][0] if wrong else None, "id": document and document["id"]}
        yield verdict, document and told(document), wrong

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, of, what in [("receipts", "FILE", "one envelope or bundle, or one a line; - is standard input"),
                           ("log", "DIR", "a log in files")]:
        command = commands.add_parser(name)
        command.add_argument("names", metavar=of, nargs="+", help=what)
        command.add_argument("--keys", type=Path, required=True, help="the keys that are trusted")
        command.add_argument("--passkeys", type=Path, help="the passkeys that are trusted; without it, any")
        command.add_argument("--post-quantum", action="store_true", help="checkpoints must be signed with ML-DSA-65 too")
        command.add_argument("--json", action="store_true", help="answer in JSON")
    command.add_argument("--against", type=Path, action="append", default=[], help="a checkpoint that somebody kept")
    command.add_argument("--complete", action="store_true", help="the records of all orgs are there")
    typed, is_good = parser.parse_args(), True
    try:
        for verdict, good, wrong in verdicts(typed):
            lines = [f"refused {code} {detail}" for code, detail in wrong] or [f"verified {good}"]
            for line in [json.dumps(verdict)] if typed.json else lines:
                print(re.sub("[^ -~]", "?", line))
            is_good = is_good and not wrong
        return 0 if is_good else 1
    except OSError as error: parser.error(str(error))
    except Refused as refusal:  # Of the keys or the passkeys.
        verdict = json.dumps({"verified": False, "code": refusal.args[0], "id": None})
        print(verdict if typed.json else f"refused {' '.join(refusal.args)}")
        return 1

if __name__ == "__main__":
    sys.exit(main())
