use chrono::{DateTime, NaiveDateTime, Utc};
use der::Tag;
use der::asn1::ObjectIdentifier;

use crate::elements::{Element, Elements, Malformed, member};
use crate::signer::{Hash, SHA_256, Signer};

/// The most bytes of a token. Those of usual authorities have 2 to 8 kilobytes, most of them for certificates.
pub const MAX_TOKEN_BYTES: usize = 64 * 1024;

const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
pub(crate) const TIMESTAMP: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
pub(crate) const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
pub(crate) const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_CERTIFICATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.12");
pub(crate) const SIGNING_CERTIFICATE_V2: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.47");

/// Why a token proves nothing about a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    /// It is no token.
    #[error("its structure differs from RFC 3161")]
    Malformed,
    /// It is larger than [`MAX_TOKEN_BYTES`].
    #[error("it is larger than {MAX_TOKEN_BYTES} bytes")]
    TooLarge,
    /// It is about another hash.
    #[error("it is about another hash")]
    Imprint,
    /// It does not contain the certificate of the key that signed it.
    #[error("it does not contain the certificate that it names")]
    NoCertificate,
    /// The certificate was made for something else.
    #[error("its certificate is not made for timestamps, and for nothing else")]
    Purpose,
    /// The certificate was not valid at that time.
    #[error("its certificate was not valid at its time")]
    Validity,
    /// An algorithm that is unknown, or broken.
    #[error("its signature is by an algorithm that is not supported")]
    Algorithm,
    /// The content is not the one that was signed.
    #[error("its signature is not valid")]
    Signature,
}

impl From<Malformed> for BadToken {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// The content of a valid token. Its signature is that of the certificate in it; [`crate::Authorities`] tells whose that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampToken {
    /// The name of the authority, by its certificate.
    pub authority: String,
    /// The time at which the authority saw the hash.
    pub at: DateTime<Utc>,
    /// The authority's policy, as an object identifier: "1.2.3.4.1".
    pub policy: String,
    /// The certificate that signed, in DER.
    pub(crate) certificate: Vec<u8>,
    /// The other certificates.
    pub(crate) chain: Vec<Vec<u8>>,
    /// The nonce of the request.
    pub(crate) nonce: Option<Vec<u8>>,
}

impl TimestampToken {
    /// Checks that a token is about this SHA-256, and that the certificate in it signed it and was made for timestamps.
    ///
    /// # Errors
    /// Says why the token proves nothing about the hash.
    pub fn read(content: &[u8], hash: &[u8; 32]) -> Result<Self, BadToken> {
        if content.len() > MAX_TOKEN_BYTES {
            return Err(BadToken::TooLarge);
        }
        let signed = SignedData::read(content)?;
        let statement = Statement::read(signed.statement)?;
        if statement.hash != hash {
            return Err(BadToken::Imprint);
        }
        let signer = signed.check()?;
        signer.check_purpose(statement.at)?;
        let others = signed.certificates.iter().filter(|certificate| **certificate != signer.raw);
        Ok(Self {
            authority: signer.name(),
            at: statement.at,
            policy: statement.policy.to_string(),
            certificate: signer.raw.to_vec(),
            chain: others.map(|certificate| certificate.to_vec()).collect(),
            nonce: statement.nonce.map(<[u8]>::to_vec),
        })
    }
}

/// The signed content.
struct Statement<'a> {
    policy: ObjectIdentifier,
    hash: &'a [u8],
    at: DateTime<Utc>,
    nonce: Option<&'a [u8]>,
}

impl<'a> Statement<'a> {
    fn read(content: &'a [u8]) -> Result<Self, BadToken> {
        let mut parts = Element::of(content, Tag::Sequence)?.elements()?;
        if parts.take(Tag::Integer)?.value != [1] {
            return Err(BadToken::Malformed);
        }
        let policy = parts.take(Tag::ObjectIdentifier)?.oid()?;
        let mut imprint = parts.take(Tag::Sequence)?.elements()?;
        let algorithm = imprint.take(Tag::Sequence)?.algorithm()?;
        let hash = imprint.take(Tag::OctetString)?.value;
        if algorithm != SHA_256 {
            return Err(BadToken::Imprint);
        }
        parts.take(Tag::Integer)?;
        let at = time_of(parts.take(Tag::GeneralizedTime)?.value).ok_or(BadToken::Malformed)?;
        // The accuracy, and whether its tokens have an order.
        parts.take_if(Tag::Sequence)?;
        parts.take_if(Tag::Boolean)?;
        let nonce = parts.take_if(Tag::Integer)?.map(|nonce| nonce.value);
        Ok(Self { policy, hash, at, nonce })
    }
}

/// A time such as `20261121181002.5Z`. The type of the library takes no fractions of seconds.
fn time_of(text: &[u8]) -> Option<DateTime<Utc>> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    if whole.len() != 14 || !are_digits(whole) || !(1..=9).contains(&fraction.len()) || !are_digits(fraction) {
        return None;
    }
    let time = NaiveDateTime::parse_from_str(&format!("{whole}.{fraction}"), "%Y%m%d%H%M%S%.f").ok()?;
    Some(time.and_utc())
}

/// The signed data around the statement, with its only signature.
struct SignedData<'a> {
    statement: &'a [u8],
    certificates: Vec<&'a [u8]>,
    /// The issuer's name and the serial number of the certificate. `None` if it is named by its key.
    named_by: Option<(&'a [u8], &'a [u8])>,
    hash: Hash,
    attributes: Element<'a>,
    algorithm: ObjectIdentifier,
    signature: &'a [u8],
}

impl<'a> SignedData<'a> {
    fn read(content: &'a [u8]) -> Result<Self, BadToken> {
        let mut parts = Element::of(content, Tag::Sequence)?.elements()?;
        if parts.take(Tag::ObjectIdentifier)?.oid()? != SIGNED_DATA {
            return Err(BadToken::Malformed);
        }
        let mut data = parts.take(member(0))?.inner(Tag::Sequence)?.elements()?;
        parts.end()?;
        data.take(Tag::Integer)?;
        data.take(Tag::Set)?;
        let mut encapsulated = data.take(Tag::Sequence)?.elements()?;
        if encapsulated.take(Tag::ObjectIdentifier)?.oid()? != TIMESTAMP {
            return Err(BadToken::Malformed);
        }
        let statement = encapsulated.take(member(0))?.inner(Tag::OctetString)?.value;
        let certificates = match data.take_if(member(0))? {
            Some(certificates) => certificates.elements()?.all()?.iter().map(|certificate| certificate.raw).collect(),
            None => Vec::new(),
        };
        data.take_if(member(1))?;
        let mut signer = data.take(Tag::Set)?.inner(Tag::Sequence)?.elements()?;
        data.end()?;
        signer.take(Tag::Integer)?;
        let identifier = signer.next()?;
        let named_by = match identifier.tag {
            Tag::Sequence => {
                let mut parts = identifier.elements()?;
                Some((parts.take(Tag::Sequence)?.raw, parts.take(Tag::Integer)?.raw))
            }
            _ => None,
        };
        let hash = signer.take(Tag::Sequence)?.algorithm()?;
        let hash = Hash::named(hash).filter(|hash| *hash != Hash::Sha1).ok_or(BadToken::Algorithm)?;
        let attributes = signer.take(member(0))?;
        let algorithm = signer.take(Tag::Sequence)?.algorithm()?;
        let signature = signer.take(Tag::OctetString)?.value;
        Ok(Self { statement, certificates, named_by, hash, attributes, algorithm, signature })
    }

    /// Checks the signature, and returns who signed.
    fn check(&self) -> Result<Signer<'a>, BadToken> {
        let content_type = self.attribute(CONTENT_TYPE)?.ok_or(BadToken::Malformed)?;
        let digest = self.attribute(MESSAGE_DIGEST)?.ok_or(BadToken::Malformed)?;
        if content_type.oid()? != TIMESTAMP || digest.value != self.hash.of(self.statement) {
            return Err(BadToken::Signature);
        }
        let signer = self.signer()?;
        // The attributes are signed as a set, and stand in the token as a member with a tag of its own.
        let mut attributes = self.attributes.raw.to_vec();
        if let Some(tag) = attributes.first_mut() {
            *tag = 0x31;
        }
        signer.check_signature(self.algorithm, self.hash, &attributes, self.signature)?;
        Ok(signer)
    }

    /// The certificate that the attributes name by its hash. A token without this attribute could be assigned to another one.
    fn signer(&self) -> Result<Signer<'a>, BadToken> {
        let (hash, name) = self.name_of_certificate()?;
        let named = self.certificates.iter().find(|certificate| hash.of(certificate) == name);
        let signer = Signer::read(named.ok_or(BadToken::NoCertificate)?)?;
        match self.named_by {
            Some(named_by) if named_by != signer.issuer_and_serial => Err(BadToken::NoCertificate),
            _ => Ok(signer),
        }
    }

    fn name_of_certificate(&self) -> Result<(Hash, &'a [u8]), BadToken> {
        let first = |attribute: Element<'a>| -> Result<Elements<'a>, Malformed> {
            attribute.elements()?.take(Tag::Sequence)?.elements()?.take(Tag::Sequence)?.elements()
        };
        if let Some(attribute) = self.attribute(SIGNING_CERTIFICATE_V2)? {
            let mut parts = first(attribute)?;
            let hash = match parts.take_if(Tag::Sequence)? {
                Some(algorithm) => Hash::named(algorithm.algorithm()?).ok_or(BadToken::Algorithm)?,
                None => Hash::Sha256,
            };
            return Ok((hash, parts.take(Tag::OctetString)?.value));
        }
        let attribute = self.attribute(SIGNING_CERTIFICATE)?.ok_or(BadToken::NoCertificate)?;
        Ok((Hash::Sha1, first(attribute)?.take(Tag::OctetString)?.value))
    }

    /// The only value of a signed attribute.
    fn attribute(&self, name: ObjectIdentifier) -> Result<Option<Element<'a>>, BadToken> {
        let mut found = None;
        for attribute in self.attributes.elements()?.all()? {
            let mut parts = attribute.elements()?;
            if parts.take(Tag::ObjectIdentifier)?.oid()? != name {
                continue;
            }
            let mut values = parts.take(Tag::Set)?.elements()?;
            let value = values.next()?;
            values.end()?;
            if found.replace(value).is_some() {
                return Err(BadToken::Malformed);
            }
        }
        Ok(found)
    }
}
