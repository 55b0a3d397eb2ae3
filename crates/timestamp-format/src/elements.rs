//! Reads DER element by element. Bytes that are hashed or signed are taken as they are, and never encoded again.

use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Decode as _, Encode as _, Reader as _, SliceReader, Tag, TagNumber, Tagged as _};

/// The bytes are not of the expected structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its structure differs from RFC 3161")]
pub(crate) struct Malformed;

impl From<der::Error> for Malformed {
    fn from(_: der::Error) -> Self {
        Self
    }
}

/// The tag of a constructed member with this number.
pub(crate) const fn member(number: u32) -> Tag {
    Tag::ContextSpecific { constructed: true, number: TagNumber(number) }
}

/// An element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) tag: Tag,
    /// The element with its tag and length.
    pub(crate) raw: &'a [u8],
    /// The content.
    pub(crate) value: &'a [u8],
}

impl<'a> Element<'a> {
    /// The only element of these bytes.
    pub(crate) fn of(bytes: &'a [u8], tag: Tag) -> Result<Self, Malformed> {
        let mut elements = Elements::of(bytes)?;
        let element = elements.take(tag)?;
        elements.end()?;
        Ok(element)
    }

    /// The elements inside.
    pub(crate) fn elements(&self) -> Result<Elements<'a>, Malformed> {
        Elements::of(self.value)
    }

    /// The only element inside.
    pub(crate) fn inner(&self, tag: Tag) -> Result<Self, Malformed> {
        Self::of(self.value, tag)
    }

    /// The object identifier that it is.
    pub(crate) fn oid(&self) -> Result<ObjectIdentifier, Malformed> {
        Ok(ObjectIdentifier::from_der(self.raw)?)
    }

    /// The name of the algorithm that it is, without parameters.
    pub(crate) fn algorithm(&self) -> Result<ObjectIdentifier, Malformed> {
        self.elements()?.take(Tag::ObjectIdentifier)?.oid()
    }
}

/// Elements, one after the other.
pub(crate) struct Elements<'a>(SliceReader<'a>);

impl<'a> Elements<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Result<Self, Malformed> {
        Ok(Self(SliceReader::new(bytes)?))
    }

    /// The next element.
    pub(crate) fn next(&mut self) -> Result<Element<'a>, Malformed> {
        let raw = self.0.tlv_bytes()?;
        let any = AnyRef::from_der(raw)?;
        Ok(Element { tag: any.tag(), raw, value: any.value() })
    }

    /// The next element, which must have this tag.
    pub(crate) fn take(&mut self, tag: Tag) -> Result<Element<'a>, Malformed> {
        let element = self.next()?;
        if element.tag == tag { Ok(element) } else { Err(Malformed) }
    }

    /// The next element, if it has this tag.
    pub(crate) fn take_if(&mut self, tag: Tag) -> Result<Option<Element<'a>>, Malformed> {
        if self.0.is_finished() || Tag::peek(&self.0)? != tag {
            return Ok(None);
        }
        self.next().map(Some)
    }

    /// The elements that are left.
    pub(crate) fn all(mut self) -> Result<Vec<Element<'a>>, Malformed> {
        let mut elements = Vec::new();
        while !self.0.is_finished() {
            elements.push(self.next()?);
        }
        Ok(elements)
    }

    /// There must be no further element.
    pub(crate) fn end(self) -> Result<(), Malformed> {
        Ok(self.0.finish()?)
    }
}

/// Writes an element with this content.
pub(crate) fn element(tag: Tag, content: &[&[u8]]) -> Vec<u8> {
    let content = content.concat();
    // Fails only for more than the length of DER can say.
    AnyRef::new(tag, &content).and_then(|any| any.to_der()).unwrap_or_default()
}

/// Writes an object identifier.
pub(crate) fn named(oid: ObjectIdentifier) -> Vec<u8> {
    element(Tag::ObjectIdentifier, &[oid.as_bytes()])
}
