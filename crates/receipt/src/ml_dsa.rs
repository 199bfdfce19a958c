//! ML-DSA-65 (FIPS 204), the second signature of checkpoints: it holds when Ed25519 does not any more.

use aws_lc_rs::{
    hkdf,
    signature::{KeyPair as _, ML_DSA_65, ML_DSA_65_SIGNING, PqdsaKeyPair, UnparsedPublicKey},
};
use zeroize::Zeroizing;

/// The size of a public key.
pub(crate) const PUBLIC_KEY_BYTES: usize = 1952;
const SIGNATURE_BYTES: usize = 3309;
/// Separates the derived seed from every other use of the signing key's seed.
const PURPOSE: &[u8] = b"countersign/ml-dsa-65/v1";

/// Why a key did not sign.
#[derive(Debug, thiserror::Error)]
#[error("signing with ML-DSA-65")]
pub struct MlDsaError(#[from] aws_lc_rs::error::Unspecified);

/// The private key. The library wipes it.
pub(crate) struct Pair(PqdsaKeyPair);

impl Pair {
    /// The key that belongs to the seed of an Ed25519 key. Who breaks Ed25519 learns a scalar, which is a hash of the
    /// seed, and not the seed.
    pub(crate) fn derive(seed: &[u8; 32]) -> Result<Self, MlDsaError> {
        let mut derived = Zeroizing::new([0; 32]);
        let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]).extract(seed);
        extracted.expand(&[PURPOSE], hkdf::HKDF_SHA256)?.fill(&mut *derived)?;
        let pair = PqdsaKeyPair::from_seed(&ML_DSA_65_SIGNING, &*derived);
        Ok(Self(pair.map_err(|_| aws_lc_rs::error::Unspecified)?))
    }

    pub(crate) fn public_key(&self) -> Vec<u8> {
        self.0.public_key().as_ref().to_vec()
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, MlDsaError> {
        let mut signature = vec![0; SIGNATURE_BYTES];
        let length = self.0.sign(message, &mut signature)?;
        signature.truncate(length);
        Ok(signature)
    }
}

/// Whether this key signed these bytes, with an empty context.
pub(crate) fn verifies(public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    UnparsedPublicKey::new(&ML_DSA_65, public_key).verify(message, signature).is_ok()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    // The public keys that the Python package `cryptography` and `@noble/post-quantum` make from the seed of 32 zeros.
    #[test]
    fn a_seed_gives_the_public_key_that_other_libraries_give() {
        let pair = Pair(PqdsaKeyPair::from_seed(&ML_DSA_65_SIGNING, &[0; 32]).unwrap());
        let digest = hex::encode(Sha256::digest(pair.public_key()));
        assert_eq!(digest, "085ba380ff386dd52e42349c6eb88489d6058ea541a4e3fb0dce9a3fd1f7a911");
    }

    #[test]
    fn every_changed_byte_of_a_signature_is_found() {
        let (pair, message) = (Pair::derive(&[1; 32]).unwrap(), b"a checkpoint");
        let (public, signature) = (pair.public_key(), pair.sign(message).unwrap());
        assert_eq!((public.len(), signature.len()), (PUBLIC_KEY_BYTES, SIGNATURE_BYTES));
        assert!(verifies(&public, message, &signature));
        for place in (0..signature.len()).step_by(37) {
            let mut changed = signature.clone();
            changed[place] ^= 1;
            assert!(!verifies(&public, message, &changed), "byte {place}");
        }
        assert!(!verifies(&public, b"another", &signature));
        assert!(!verifies(&Pair::derive(&[2; 32]).unwrap().public_key(), message, &signature));
        assert!(!verifies(&public, message, &[&signature[..], &[0]].concat()));
        assert!(!verifies(&public[1..], message, &signature));
    }
}
