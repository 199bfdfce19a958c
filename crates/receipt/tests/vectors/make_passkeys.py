#!/usr/bin/env python3
"""Writes passkeys.json: receipts with a vote that a passkey signed, each with the result that every verifier must give.

The keys are made anew by every run and thrown away. The stored file must verify forever: run this only to add a case.

    python3 crates/receipt/tests/vectors/make_passkeys.py        (Python 3.11, the package `cryptography`)
"""
import base64, json, sys
from pathlib import Path
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[3] / "examples/verify"))
from verify import canonical, sha256

PAYLOAD_TYPE, SITE = "application/vnd.countersign.receipt+json", "gateway.example"
RECEIPT = json.loads((HERE / "succeeded.payload.json").read_bytes())
SIGNER = Ed25519PrivateKey.from_private_bytes(b"\1" * 32)  # The key with the public seed that signs all vectors.
KEYID = sha256(SIGNER.public_key().public_bytes_raw()).hex()[:16]
ES256, RS256 = ec.ECDSA(SHA256()), (padding.PKCS1v15(), SHA256())

def url(data): return base64.urlsafe_b64encode(data).decode().rstrip("=")
def point(key): return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
def spki(key): return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)

def envelope(public_key, sign, user=None):
    """A receipt whose only vote has an assertion under this public key."""
    vote = RECEIPT["approvals"][0]
    statement = {"format": "countersign/vote/v1", "org": RECEIPT["org"], "invocation": RECEIPT["invocation"],
                 "user": user or vote["user"], "verdict": vote["verdict"], "shown_digest": vote["shown_digest"]}
    client = json.dumps({"type": "webauthn.get", "challenge": url(sha256(canonical(statement))),
                         "origin": f"https://{SITE}", "crossOrigin": False}).encode()
    said = sha256(SITE.encode()) + bytes([0x05, 0, 0, 0, 0])
    assertion = {"authenticator_data": url(said), "client_data": url(client), "credential": url(b"\x17" * 16),
                 "public_key": url(public_key), "signature": url(sign(said + sha256(client)))}
    payload = canonical(RECEIPT | {"approvals": [vote | {"assertion": assertion}]})
    signed = f"DSSEv1 {len(PAYLOAD_TYPE)} {PAYLOAD_TYPE} {len(payload)} ".encode() + payload
    signature = {"keyid": KEYID, "sig": base64.b64encode(SIGNER.sign(signed)).decode()}
    return {"payload": base64.b64encode(payload).decode(), "payloadType": PAYLOAD_TYPE, "signatures": [signature]}

def even(size):
    """An even modulus, in the form of a key: the last byte of the modulus is before the five of the exponent."""
    key = bytearray(spki(rsa.generate_private_key(65537, size)))
    key[-6] &= 0xFE
    return bytes(key)

def cases():
    curve, keys = ec.generate_private_key(ec.SECP256R1()), {
        size: rsa.generate_private_key(65537, size) for size in (1024, 2048, 3072, 4096, 8192)}
    own, small, third = keys[2048], keys[1024], rsa.generate_private_key(3, 2048)
    def by(key, *how): return lambda message: key.sign(message, *(how or RS256))
    def changed(message): return own.sign(message, *RS256)[:-1] + bytes([own.sign(message, *RS256)[-1] ^ 1])
    info = spki(own)
    no_null = info[:2] + (len(info) - 6).to_bytes(2, "big") + bytes.fromhex("300b06092a864886f70d010101") + info[19:]
    pss = info.replace(bytes.fromhex("2a864886f70d010101"), bytes.fromhex("2a864886f70d01010a"))
    yield "ES256", "verified", envelope(point(curve), by(curve, ES256))
    for size in (2048, 3072, 4096): yield f"RS256, {size} bits", "verified", envelope(spki(keys[size]), by(keys[size]))
    yield "RS256: another statement", "assertion_statement", envelope(info, by(own), "usr_other")
    yield "RS256: a changed signature", "assertion_signature", envelope(info, changed)
    yield "RS256: the signature of another key", "assertion_signature", envelope(
        info, by(rsa.generate_private_key(65537, 2048)))
    yield "RS256: a zero before the signature", "assertion_signature", envelope(info, lambda m: b"\0" + by(own)(m))
    yield "RS256: no signature", "assertion_signature", envelope(info, lambda _: b"")
    yield "RSASSA-PSS instead of PKCS1-v1_5", "assertion_signature", envelope(
        info, by(own, padding.PSS(padding.MGF1(SHA256()), 32), SHA256()))
    yield "RS1: SHA-1 instead of SHA-256", "assertion_signature", envelope(info, by(own, padding.PKCS1v15(), SHA1()))
    yield "an ES256 signature under an RSA key", "assertion_signature", envelope(info, by(curve, ES256))
    yield "an RS256 signature under a P-256 key", "assertion_signature", envelope(point(curve), by(own))
    yield "a P-256 key as SubjectPublicKeyInfo", "assertion_malformed", envelope(spki(curve), by(curve, ES256))
    yield "RS256, 1024 bits", "assertion_malformed", envelope(spki(small), by(small))
    yield "RS256, 8192 bits", "assertion_malformed", envelope(spki(keys[8192]), by(keys[8192]))
    yield "RS256, exponent 3", "assertion_malformed", envelope(spki(third), by(third))
    yield "an even modulus", "assertion_malformed", envelope(even(2048), by(own))
    yield "an RSA key without NULL parameters", "assertion_malformed", envelope(no_null, by(own))
    yield "an RSA key of the algorithm RSASSA-PSS", "assertion_malformed", envelope(pss, by(own))
    yield "a byte after an RSA key", "assertion_malformed", envelope(info + b"\0", by(own))

lines = [json.dumps({"case": name, "expected": expected, "envelope": made}) for name, expected, made in cases()]
(HERE / "passkeys.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
