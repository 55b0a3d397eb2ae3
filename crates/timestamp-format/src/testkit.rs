//! An authority whose tokens a test controls, with a key of its own.

use chrono::{DateTime, Utc};
use der::Tag;
use der::asn1::ObjectIdentifier;
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    PKCS_ECDSA_P256_SHA256, PKCS_ED25519, PKCS_RSA_SHA256, SignatureAlgorithm, SigningKey as _,
};

use crate::elements::{Element, element, member, named};
use crate::request::{parts_of, response};
use crate::signer::{Hash, SHA_256};
use crate::token::{CONTENT_TYPE, MESSAGE_DIGEST, SIGNING_CERTIFICATE_V2, TIMESTAMP};

const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const SIGNING_CERTIFICATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.12");
const POLICY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.32473.1");
const TIME_STAMPING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8");
const SERVER_AUTH: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");
const EXTENDED_KEY_USAGE: &[u64] = &[2, 5, 29, 37];

/// The kind of an authority's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// ECDSA on P-256.
    Ecdsa,
    /// RSA with 2,048 bits.
    Rsa,
    /// Ed25519.
    Ed25519,
}

/// The purpose of an authority's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Timestamps.
    Timestamps,
    /// Timestamps, without the mark that says that this is all.
    TimestampsAmongOthers,
    /// Servers.
    Servers,
    /// It does not say.
    Unknown,
}

/// The defect of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The authority refuses.
    Refused,
    /// The nonce of another request.
    OtherNonce,
    /// No nonce.
    NoNonce,
    /// Another hash.
    OtherImprint,
    /// A signature over something else.
    BrokenSignature,
    /// The digest of another statement.
    OtherDigest,
    /// No certificate.
    NoCertificate,
    /// Granted, without a token.
    NoToken,
}

/// An authority: a root, and a certificate that it has issued.
pub struct TestAuthority {
    key: KeyPair,
    kind: KeyKind,
    certificate: Vec<u8>,
    certificate_pem: String,
    root_pem: String,
    /// Whether tokens name their certificate by SHA-1, as older authorities do.
    names_by_sha1: bool,
}

impl TestAuthority {
    /// An authority with this name.
    pub fn new(name: &str) -> Self {
        Self::with(name, KeyKind::Ecdsa, Purpose::Timestamps)
    }

    /// An authority with such a key and certificate.
    pub fn with(name: &str, kind: KeyKind, purpose: Purpose) -> Self {
        let algorithm: &SignatureAlgorithm = match kind {
            KeyKind::Ecdsa => &PKCS_ECDSA_P256_SHA256,
            KeyKind::Rsa => &PKCS_RSA_SHA256,
            KeyKind::Ed25519 => &PKCS_ED25519,
        };
        let root_key = KeyPair::generate().expect("a key can be made");
        let mut root = params(&format!("{name} Root"));
        root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        root.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let root_pem = root.self_signed(&root_key).expect("a certificate can be made").pem();
        let key = KeyPair::generate_for(algorithm).expect("a key can be made");
        let mut own = params(name);
        own.custom_extensions.extend(usage(purpose));
        let issuer = Issuer::from_params(&root, &root_key);
        let certificate = own.signed_by(&key, &issuer).expect("a certificate can be made");
        let certificate_pem = certificate.pem();
        Self { key, kind, certificate: certificate.der().to_vec(), certificate_pem, root_pem, names_by_sha1: false }
    }

    /// The same authority, whose tokens name their certificate as older ones do.
    #[must_use]
    pub fn naming_by_sha1(self) -> Self {
        Self { names_by_sha1: true, ..self }
    }

    /// The certificate of the root, in PEM.
    pub fn root_pem(&self) -> &str {
        &self.root_pem
    }

    /// The certificate that signs, in PEM.
    pub fn certificate_pem(&self) -> &str {
        &self.certificate_pem
    }

    /// A token about a hash.
    pub fn token(&self, hash: &[u8; 32], at: DateTime<Utc>) -> Vec<u8> {
        self.signed(&statement(hash, at, &[]), None)
    }

    /// The response to a request.
    ///
    /// # Panics
    /// Panics if it is no request.
    pub fn respond(&self, request: &[u8], at: DateTime<Utc>, flaw: Option<Flaw>) -> Vec<u8> {
        let (mut hash, mut nonce) = parts_of(request).expect("it is a request");
        match flaw {
            Some(Flaw::Refused) => return response(2, Some("the policy\n is not known"), &[]),
            Some(Flaw::NoToken) => return response(0, None, &[]),
            Some(Flaw::OtherNonce) => *nonce.last_mut().expect("a nonce has bytes") ^= 1,
            Some(Flaw::NoNonce) => nonce.clear(),
            Some(Flaw::OtherImprint) => hash[0] ^= 1,
            _ => {}
        }
        response(0, None, &self.signed(&statement(&hash, at, &nonce), flaw))
    }

    fn signed(&self, statement: &[u8], flaw: Option<Flaw>) -> Vec<u8> {
        let mut digest = Hash::Sha256.of(statement);
        if flaw == Some(Flaw::OtherDigest) {
            digest[0] ^= 1;
        }
        let mut attributes = [
            attribute(CONTENT_TYPE, &named(TIMESTAMP)),
            attribute(MESSAGE_DIGEST, &element(Tag::OctetString, &[&digest])),
            self.certificate_name(),
        ];
        // A set is in the order of its bytes.
        attributes.sort();
        let attributes = attributes.concat();
        let mut signature = self.key.sign(&element(Tag::Set, &[&attributes])).expect("the key signs what it is given");
        if flaw == Some(Flaw::BrokenSignature) {
            signature = self.key.sign(b"something else").expect("the key signs what it is given");
        }
        let (issuer, serial) = self.issuer_and_serial();
        let signer = element(
            Tag::Sequence,
            &[
                &element(Tag::Integer, &[&[1]]),
                &element(Tag::Sequence, &[&issuer, &serial]),
                &element(Tag::Sequence, &[&named(SHA_256)]),
                &element(member(0), &[&attributes]),
                &element(Tag::Sequence, &[&named(self.algorithm())]),
                &element(Tag::OctetString, &[&signature]),
            ],
        );
        let certificates = if flaw == Some(Flaw::NoCertificate) { &[][..] } else { &self.certificate };
        let encapsulated = element(member(0), &[&element(Tag::OctetString, &[statement])]);
        let data = element(
            Tag::Sequence,
            &[
                &element(Tag::Integer, &[&[3]]),
                &element(Tag::Set, &[&element(Tag::Sequence, &[&named(SHA_256)])]),
                &element(Tag::Sequence, &[&named(TIMESTAMP), &encapsulated]),
                &element(member(0), &[certificates]),
                &element(Tag::Set, &[&signer]),
            ],
        );
        element(Tag::Sequence, &[&named(SIGNED_DATA), &element(member(0), &[&data])])
    }

    fn algorithm(&self) -> ObjectIdentifier {
        ObjectIdentifier::new_unwrap(match self.kind {
            KeyKind::Ecdsa => "1.2.840.10045.4.3.2",
            KeyKind::Rsa => "1.2.840.113549.1.1.1",
            KeyKind::Ed25519 => "1.3.101.112",
        })
    }

    /// The attribute that names the certificate.
    fn certificate_name(&self) -> Vec<u8> {
        let (oid, hash) =
            if self.names_by_sha1 { (SIGNING_CERTIFICATE, Hash::Sha1) } else { (SIGNING_CERTIFICATE_V2, Hash::Sha256) };
        let name = element(Tag::OctetString, &[&hash.of(&self.certificate)]);
        let names = element(Tag::Sequence, &[&element(Tag::Sequence, &[&name])]);
        attribute(oid, &element(Tag::Sequence, &[&names]))
    }

    fn issuer_and_serial(&self) -> (Vec<u8>, Vec<u8>) {
        let read = || {
            let body = Element::of(&self.certificate, Tag::Sequence)?.elements()?.take(Tag::Sequence)?;
            let mut parts = body.elements()?;
            parts.take_if(member(0))?;
            let serial = parts.take(Tag::Integer)?.raw.to_vec();
            parts.take(Tag::Sequence)?;
            Ok::<_, crate::elements::Malformed>((parts.take(Tag::Sequence)?.raw.to_vec(), serial))
        };
        read().expect("a certificate has both")
    }
}

fn params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

fn usage(purpose: Purpose) -> Option<CustomExtension> {
    let purposes: &[ObjectIdentifier] = match purpose {
        Purpose::Timestamps => &[TIME_STAMPING],
        Purpose::TimestampsAmongOthers => &[TIME_STAMPING, SERVER_AUTH],
        Purpose::Servers => &[SERVER_AUTH],
        Purpose::Unknown => return None,
    };
    let purposes: Vec<Vec<u8>> = purposes.iter().map(|purpose| named(*purpose)).collect();
    let content = element(Tag::Sequence, &[&purposes.concat()]);
    let mut extension = CustomExtension::from_oid_content(EXTENDED_KEY_USAGE, content);
    extension.set_criticality(true);
    Some(extension)
}

fn attribute(name: ObjectIdentifier, value: &[u8]) -> Vec<u8> {
    element(Tag::Sequence, &[&named(name), &element(Tag::Set, &[value])])
}

/// The content that an authority signs. `nonce` with its tag and length, or empty.
fn statement(hash: &[u8; 32], at: DateTime<Utc>, nonce: &[u8]) -> Vec<u8> {
    let algorithm = element(Tag::Sequence, &[&named(SHA_256), &element(Tag::Null, &[])]);
    let time = at.format("%Y%m%d%H%M%S%.3fZ").to_string();
    element(
        Tag::Sequence,
        &[
            &element(Tag::Integer, &[&[1]]),
            &named(POLICY),
            &element(Tag::Sequence, &[&algorithm, &element(Tag::OctetString, &[hash])]),
            &element(Tag::Integer, &[&[42]]),
            &element(Tag::GeneralizedTime, &[time.as_bytes()]),
            // The accuracy: one second.
            &element(Tag::Sequence, &[&element(Tag::Integer, &[&[1]])]),
            nonce,
        ],
    )
}
