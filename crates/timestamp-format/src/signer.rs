//! The certificate that signed a token, and its signature.

use aws_lc_rs::digest::{self, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA384, SHA512};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P256_SHA512_ASN1, ECDSA_P384_SHA256_ASN1,
    ECDSA_P384_SHA384_ASN1, ECDSA_P384_SHA512_ASN1, ECDSA_P521_SHA256_ASN1, ECDSA_P521_SHA384_ASN1,
    ECDSA_P521_SHA512_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
    RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
    UnparsedPublicKey, VerificationAlgorithm,
};
use chrono::{DateTime, Utc};
use der::asn1::ObjectIdentifier;
use der::{Decode as _, Tag};
use x509_cert::Certificate;
use x509_cert::ext::pkix::ExtendedKeyUsage;

use crate::elements::{Element, Malformed};
use crate::request::plain;
use crate::token::BadToken;

const fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

const SHA_1: ObjectIdentifier = oid("1.3.14.3.2.26");
pub(crate) const SHA_256: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.1");
const SHA_384: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.2");
const SHA_512: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.3");
const RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.1");
const RSA_PSS: ObjectIdentifier = oid("1.2.840.113549.1.1.10");
const RSA_SHA_256: ObjectIdentifier = oid("1.2.840.113549.1.1.11");
const RSA_SHA_384: ObjectIdentifier = oid("1.2.840.113549.1.1.12");
const RSA_SHA_512: ObjectIdentifier = oid("1.2.840.113549.1.1.13");
const ECDSA_SHA_256: ObjectIdentifier = oid("1.2.840.10045.4.3.2");
const ECDSA_SHA_384: ObjectIdentifier = oid("1.2.840.10045.4.3.3");
const ECDSA_SHA_512: ObjectIdentifier = oid("1.2.840.10045.4.3.4");
const EDDSA_25519: ObjectIdentifier = oid("1.3.101.112");
const P_256: ObjectIdentifier = oid("1.2.840.10045.3.1.7");
const P_384: ObjectIdentifier = oid("1.3.132.0.34");
const P_521: ObjectIdentifier = oid("1.3.132.0.35");
/// The purpose of a certificate: timestamps, and nothing else.
const TIME_STAMPING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.8");

/// A hash function that a token names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hash {
    /// Only in the name of a certificate, which the signature covers in full.
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    pub(crate) fn named(oid: ObjectIdentifier) -> Option<Self> {
        match oid {
            SHA_1 => Some(Self::Sha1),
            SHA_256 => Some(Self::Sha256),
            SHA_384 => Some(Self::Sha384),
            SHA_512 => Some(Self::Sha512),
            _ => None,
        }
    }

    pub(crate) fn of(self, bytes: &[u8]) -> Vec<u8> {
        let algorithm = match self {
            Self::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => &SHA256,
            Self::Sha384 => &SHA384,
            Self::Sha512 => &SHA512,
        };
        digest::digest(algorithm, bytes).as_ref().to_vec()
    }
}

/// A certificate in a token.
pub(crate) struct Signer<'a> {
    /// The certificate in DER.
    pub(crate) raw: &'a [u8],
    /// The issuer's name and the serial number, in DER.
    pub(crate) issuer_and_serial: (&'a [u8], &'a [u8]),
    certificate: Certificate,
    public_key: &'a [u8],
}

impl<'a> Signer<'a> {
    /// Reads a certificate.
    pub(crate) fn read(raw: &'a [u8]) -> Result<Self, Malformed> {
        let certificate = Certificate::from_der(raw)?;
        let body = Element::of(raw, Tag::Sequence)?.elements()?.take(Tag::Sequence)?;
        let mut parts = body.elements()?;
        parts.take_if(crate::elements::member(0))?;
        let serial = parts.take(Tag::Integer)?.raw;
        parts.take(Tag::Sequence)?;
        let issuer = parts.take(Tag::Sequence)?.raw;
        // The time of validity and the subject.
        parts.take(Tag::Sequence)?;
        parts.take(Tag::Sequence)?;
        let public_key = parts.take(Tag::Sequence)?.raw;
        Ok(Self { raw, issuer_and_serial: (issuer, serial), certificate, public_key })
    }

    /// The name of the authority.
    pub(crate) fn name(&self) -> String {
        let subject = self.certificate.tbs_certificate().subject();
        let common = subject.common_name().ok().flatten().map(|name| name.value().into_owned());
        let organization = || subject.organization().ok().flatten().map(|name| name.value().into_owned());
        let name = common.or_else(organization).map(|name| plain(&name)).filter(|name| !name.is_empty());
        name.unwrap_or_else(|| plain(&subject.to_string()))
    }

    /// The certificate must be valid at that time, and made for timestamps and for nothing else.
    pub(crate) fn check_purpose(&self, at: DateTime<Utc>) -> Result<(), BadToken> {
        let body = self.certificate.tbs_certificate();
        let usage = body.get_extension::<ExtendedKeyUsage>().map_err(Malformed::from)?;
        if !matches!(usage, Some((true, ExtendedKeyUsage(purposes))) if purposes == [TIME_STAMPING]) {
            return Err(BadToken::Purpose);
        }
        let seconds = u64::try_from(at.timestamp()).unwrap_or_default();
        let validity = body.validity();
        let (first, last) = (validity.not_before.to_unix_duration(), validity.not_after.to_unix_duration());
        if (first.as_secs()..=last.as_secs()).contains(&seconds) { Ok(()) } else { Err(BadToken::Validity) }
    }

    /// Checks a signature of this certificate. `hash` is the one of the message where the algorithm names none.
    pub(crate) fn check_signature(
        &self,
        algorithm: ObjectIdentifier,
        hash: Hash,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), BadToken> {
        let algorithm = self.algorithm(algorithm, hash)?.ok_or(BadToken::Algorithm)?;
        UnparsedPublicKey::new(algorithm, self.key()?).verify(message, signature).map_err(|_| BadToken::Signature)
    }

    /// The public key without the name of its algorithm.
    fn key(&self) -> Result<&'a [u8], Malformed> {
        let mut parts = Element::of(self.public_key, Tag::Sequence)?.elements()?;
        parts.take(Tag::Sequence)?;
        // The first byte counts the unused bits of the last one.
        match parts.take(Tag::BitString)?.value {
            [0, key @ ..] => Ok(key),
            _ => Err(Malformed),
        }
    }

    fn algorithm(
        &self,
        algorithm: ObjectIdentifier,
        hash: Hash,
    ) -> Result<Option<&'static dyn VerificationAlgorithm>, Malformed> {
        let of_rsa = |hash: Hash| -> Option<&'static dyn VerificationAlgorithm> {
            match hash {
                Hash::Sha1 => None,
                Hash::Sha256 => Some(&RSA_PKCS1_2048_8192_SHA256),
                Hash::Sha384 => Some(&RSA_PKCS1_2048_8192_SHA384),
                Hash::Sha512 => Some(&RSA_PKCS1_2048_8192_SHA512),
            }
        };
        Ok(match algorithm {
            RSA => of_rsa(hash),
            RSA_SHA_256 => of_rsa(Hash::Sha256),
            RSA_SHA_384 => of_rsa(Hash::Sha384),
            RSA_SHA_512 => of_rsa(Hash::Sha512),
            RSA_PSS => match hash {
                Hash::Sha1 => None,
                Hash::Sha256 => Some(&RSA_PSS_2048_8192_SHA256),
                Hash::Sha384 => Some(&RSA_PSS_2048_8192_SHA384),
                Hash::Sha512 => Some(&RSA_PSS_2048_8192_SHA512),
            },
            ECDSA_SHA_256 => {
                self.of_curve([&ECDSA_P256_SHA256_ASN1, &ECDSA_P384_SHA256_ASN1, &ECDSA_P521_SHA256_ASN1])?
            }
            ECDSA_SHA_384 => {
                self.of_curve([&ECDSA_P256_SHA384_ASN1, &ECDSA_P384_SHA384_ASN1, &ECDSA_P521_SHA384_ASN1])?
            }
            ECDSA_SHA_512 => {
                self.of_curve([&ECDSA_P256_SHA512_ASN1, &ECDSA_P384_SHA512_ASN1, &ECDSA_P521_SHA512_ASN1])?
            }
            EDDSA_25519 => Some(&ED25519),
            _ => None,
        })
    }

    /// The algorithm for the curve of the key: one for P-256, one for P-384 and one for P-521.
    fn of_curve(
        &self,
        algorithms: [&'static dyn VerificationAlgorithm; 3],
    ) -> Result<Option<&'static dyn VerificationAlgorithm>, Malformed> {
        let algorithm = Element::of(self.public_key, Tag::Sequence)?.elements()?.take(Tag::Sequence)?;
        let mut parts = algorithm.elements()?;
        parts.take(Tag::ObjectIdentifier)?;
        let [p256, p384, p521] = algorithms;
        Ok(match parts.take(Tag::ObjectIdentifier)?.oid()? {
            P_256 => Some(p256),
            P_384 => Some(p384),
            P_521 => Some(p521),
            _ => None,
        })
    }
}
