//! The public key of a passkey: its two forms, and the algorithm that each of them stands for.
//!
//! INVARIANT: the algorithm follows from the key's own form, never from anything that comes with a signature. An ES256
//! key is never used for RSA, and the reverse.

use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use p256::ecdsa::{DerSignature, VerifyingKey, signature::Verifier as _};

/// An uncompressed point of P-256.
const POINT_BYTES: usize = 65;
/// Modulus lengths of 2048 to 4096 bits.
const MODULUS_BYTES: std::ops::RangeInclusive<usize> = 256..=512;
/// The one allowed exponent, 65537.
const EXPONENT: [u8; 3] = [1, 0, 1];
/// The one allowed exponent as DER.
const EXPONENT_DER: [u8; 5] = [0x02, 0x03, 1, 0, 1];
/// The bytes before the modulus in a DER `SubjectPublicKeyInfo`. All lengths before it take two bytes.
const BEFORE_MODULUS: usize = 32;

/// A public key in one of the two forms that are supported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PublicKey {
    /// ECDSA over P-256 with SHA-256: the uncompressed point, which need not be on the curve.
    Es256([u8; POINT_BYTES]),
    /// RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537: the modulus, without leading zeros.
    Rs256(Vec<u8>),
}

impl PublicKey {
    /// Parses the stored form. It alone decides the algorithm: `0x04` begins a point, `0x30` a DER
    /// `SubjectPublicKeyInfo`.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        match bytes.first()? {
            0x04 => bytes.try_into().ok().map(Self::Es256),
            0x30 => Self::read_spki(bytes),
            _ => None,
        }
    }

    /// Parses the COSE key at the beginning of `bytes`. CTAP2 allows one encoding of it; extensions may follow.
    pub(super) fn read_cose(bytes: &[u8]) -> Option<Self> {
        // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
        const BEFORE_X: &[u8] = &[0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
        const BEFORE_Y: &[u8] = &[0x22, 0x58, 0x20];
        // {1: 3 (RSA), 3: -257 (RS256), -1: n, -2: e}
        const BEFORE_N: &[u8] = &[0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59];
        const BEFORE_E: &[u8] = &[0x21, 0x43];
        if let Some(rest) = bytes.strip_prefix(BEFORE_N) {
            let (&length, rest) = rest.split_first_chunk()?;
            let (modulus, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(length)))?;
            let is_common = rest.strip_prefix(BEFORE_E)?.starts_with(&EXPONENT);
            return (is_common && is_strong(modulus)).then(|| Self::Rs256(modulus.to_vec()));
        }
        let (x, rest) = bytes.strip_prefix(BEFORE_X)?.split_first_chunk::<32>()?;
        let (y, _) = rest.strip_prefix(BEFORE_Y)?.split_first_chunk::<32>()?;
        let point = [&[4], x.as_slice(), y.as_slice()].concat();
        VerifyingKey::from_sec1_bytes(&point).ok()?;
        Self::read(&point)
    }

    /// The stored form.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Es256(point) => point.to_vec(),
            Self::Rs256(modulus) => spki(modulus),
        }
    }

    /// Whether this key signed these bytes.
    pub(super) fn verifies(&self, signed: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Es256(point) => {
                let key = VerifyingKey::from_sec1_bytes(point);
                let signature = DerSignature::from_bytes(signature);
                matches!((key, signature), (Ok(key), Ok(signature)) if key.verify(signed, &signature).is_ok())
            }
            Self::Rs256(modulus) => {
                let key = RsaPublicKeyComponents { n: modulus.as_slice(), e: EXPONENT.as_slice() };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature).is_ok()
            }
        }
    }

    fn read_spki(bytes: &[u8]) -> Option<Self> {
        let integer = bytes.get(BEFORE_MODULUS..)?.strip_suffix(&EXPONENT_DER)?;
        let modulus = integer.strip_prefix(&[0]).unwrap_or(integer);
        // Written again it must be the same, so each key has one form.
        (is_strong(modulus) && spki(modulus) == bytes).then(|| Self::Rs256(modulus.to_vec()))
    }
}

/// Whether a modulus has 2048 to 4096 bits, no leading zeros, and could be a product of two large primes: is odd.
fn is_strong(modulus: &[u8]) -> bool {
    let (Some(first), Some(last)) = (modulus.first(), modulus.last()) else { return false };
    let is_long = match modulus.len() {
        256 => *first >= 0x80,
        length => MODULUS_BYTES.contains(&length) && *first != 0,
    };
    is_long && last % 2 == 1
}

/// The DER `SubjectPublicKeyInfo` (RFC 8017, A.1) of an RSA key with this modulus.
fn spki(modulus: &[u8]) -> Vec<u8> {
    // The algorithm `rsaEncryption`, with the parameter NULL.
    const ALGORITHM: &[u8] =
        &[0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
    let sign: &[u8] = if modulus.first().is_some_and(|first| *first >= 0x80) { &[0] } else { &[] };
    let integer = der(0x02, &[sign, modulus]);
    let key = der(0x30, &[&integer, &EXPONENT_DER]);
    der(0x30, &[ALGORITHM, &der(0x03, &[&[0], &key])])
}

/// A DER value of 256 to 65535 bytes, which is every length in the key of a strong modulus.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = u16::try_from(content.len()).unwrap_or_default().to_be_bytes();
    [&[tag, 0x82], length.as_slice(), &content].concat()
}

#[cfg(test)]
mod tests {
    use super::{BEFORE_MODULUS, EXPONENT, PublicKey, spki};

    fn modulus(bytes: usize, first: u8) -> Vec<u8> {
        let mut modulus = vec![0x5b; bytes];
        modulus[0] = first;
        modulus
    }

    fn cose(modulus: &[u8], exponent: &[u8]) -> Vec<u8> {
        let length = u16::try_from(modulus.len()).unwrap().to_be_bytes();
        let before = [0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59];
        let e = [0x21, 0x40 + u8::try_from(exponent.len()).unwrap()];
        [&before, length.as_slice(), modulus, &e, exponent].concat()
    }

    #[test]
    fn an_rsa_key_has_one_form_whatever_it_was_read_from() {
        for (bytes, first) in [(256, 0x80), (256, 0xff), (257, 0x01), (384, 0x7f), (512, 0x80), (512, 0xff)] {
            let modulus = modulus(bytes, first);
            let key = PublicKey::read_cose(&cose(&modulus, &EXPONENT)).unwrap();
            assert_eq!(key, PublicKey::Rs256(modulus.clone()));
            let stored = key.to_bytes();
            assert_eq!(PublicKey::read(&stored), Some(key));
            assert_eq!(stored.len(), BEFORE_MODULUS + usize::from(first >= 0x80) + bytes + 5);
        }
    }

    #[test]
    fn weak_or_unusual_moduli_are_not_read() {
        let mut even = modulus(256, 0x80);
        even[255] = 0x5a;
        let refused = [
            modulus(128, 0x80),
            modulus(255, 0xff),
            modulus(256, 0x7f),
            modulus(257, 0x00),
            modulus(513, 0x01),
            modulus(1024, 0x80),
            even,
        ];
        for modulus in refused {
            assert_eq!(PublicKey::read_cose(&cose(&modulus, &EXPONENT)), None);
            assert_eq!(PublicKey::read(&spki(&modulus)), None);
        }
    }

    #[test]
    fn other_exponents_are_not_read() {
        let modulus = modulus(256, 0x80);
        for exponent in [&[3][..], &[1, 0, 3], &[0, 1, 0, 1], &[1, 0, 0, 1], &[]] {
            assert_eq!(PublicKey::read_cose(&cose(&modulus, exponent)), None);
        }
        let mut stored = spki(&modulus);
        *stored.last_mut().unwrap() = 3;
        assert_eq!(PublicKey::read(&stored), None);
    }

    #[test]
    fn no_changed_byte_outside_the_modulus_is_read_as_a_key() {
        let stored = spki(&modulus(256, 0x80));
        for place in (0..BEFORE_MODULUS).chain(stored.len() - 5..stored.len()) {
            for bit in 0..8 {
                let mut changed = stored.clone();
                changed[place] ^= 1 << bit;
                assert_eq!(PublicKey::read(&changed), None, "bit {bit} of byte {place}");
            }
        }
        for length in 0..stored.len() {
            assert_eq!(PublicKey::read(&stored[..length]), None, "cut at {length}");
        }
        assert_eq!(PublicKey::read(&[stored.as_slice(), &[0]].concat()), None);
    }

    #[test]
    fn a_key_of_another_type_is_not_read() {
        let modulus = modulus(256, 0x80);
        // RS1, PS256, and an RSA key with the algorithm of ES256.
        for algorithm in [[0x39, 0xff, 0xfe], [0x38, 0x24, 0x20], [0x26, 0x20, 0x59]] {
            let mut changed = cose(&modulus, &EXPONENT);
            changed[4..7].copy_from_slice(&algorithm);
            assert_eq!(PublicKey::read_cose(&changed), None);
        }
        assert_eq!(PublicKey::read(&[]), None);
        assert_eq!(PublicKey::read(&[2; 33]), None);
        assert_eq!(PublicKey::read(&[4; 64]), None);
        assert_eq!(PublicKey::read(&[0x30; 65]), None);
    }
}
