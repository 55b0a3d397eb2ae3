//! Logos and accent colors.

use super::Stores;
use crate::testkit::Samples;
use crate::{AccentColor, Branding, Logo, LogoFormat};

/// A logo of this width. Only its header is valid.
fn logo(width: u32) -> Logo {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    file.extend(width.to_be_bytes());
    file.extend(40_u32.to_be_bytes());
    Logo::read(file).expect("the header is valid")
}

fn accent(text: &str) -> AccentColor {
    AccentColor::parse(text).expect("the color is dark enough")
}

/// A client without branding has none, and that of another client is not its own.
pub async fn branding_is_stored_for_each_client(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    assert_eq!(stores.branding.branding(club.id).await.unwrap(), Branding::default());
    assert_eq!(stores.branding.logo(club.id).await.unwrap(), None);
    stores.branding.set_accent(club.id, Some(accent("#7a1f5c"))).await.unwrap();
    stores.branding.set_logo(club.id, Some(logo(120))).await.unwrap();
    let found = stores.branding.branding(club.id).await.unwrap();
    let stored = stores.branding.logo(club.id).await.unwrap().unwrap();
    assert_eq!(found, Branding { accent: Some(accent("#7a1f5c")), logo_version: Some(stored.version) });
    assert_eq!((stored.format, stored.content.as_slice()), (LogoFormat::Png, logo(120).content()));
    assert_eq!(stores.branding.branding(other.id).await.unwrap(), Branding::default());
    assert_eq!(stores.branding.logo(other.id).await.unwrap(), None);
}

/// Each of the two is replaced and removed without the other, also twice.
pub async fn a_logo_and_an_accent_color_are_removed_on_their_own(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    stores.branding.set_logo(club.id, Some(logo(120))).await.unwrap();
    for color in ["#7a1f5c", "#7a1f5c", "#0f5e5a"] {
        stores.branding.set_accent(club.id, Some(accent(color))).await.unwrap();
        assert_eq!(stores.branding.branding(club.id).await.unwrap().accent, Some(accent(color)));
    }
    for _ in 0..2 {
        stores.branding.set_logo(club.id, None).await.unwrap();
        let left = Branding { accent: Some(accent("#0f5e5a")), logo_version: None };
        assert_eq!(stores.branding.branding(club.id).await.unwrap(), left);
    }
    stores.branding.set_logo(club.id, Some(logo(80))).await.unwrap();
    for _ in 0..2 {
        stores.branding.set_accent(club.id, None).await.unwrap();
        let left = stores.branding.branding(club.id).await.unwrap();
        assert_eq!((left.accent, left.logo_version.is_some()), (None, true));
    }
}

/// Equal files have the same version, and other files have another one.
pub async fn a_logo_has_a_version_of_its_content(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    let mut versions = Vec::new();
    for width in [120, 120, 80] {
        stores.branding.set_logo(club.id, Some(logo(width))).await.unwrap();
        versions.push(stores.branding.branding(club.id).await.unwrap().logo_version.unwrap());
    }
    assert_eq!(versions[0], versions[1]);
    assert_ne!(versions[1], versions[2]);
    assert!(versions.iter().all(|version| version.bytes().all(|letter| letter.is_ascii_alphanumeric())));
}

/// A removed client has no branding, and gets none.
pub async fn branding_is_removed_with_its_client(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    assert!(stores.branding.set_accent(club.id, Some(accent("#7a1f5c"))).await.unwrap());
    assert!(stores.branding.set_logo(club.id, Some(logo(120))).await.unwrap());
    assert!(stores.clients.remove(club.id, samples.now()).await.unwrap());
    assert!(!stores.branding.set_accent(club.id, Some(accent("#7a1f5c"))).await.unwrap());
    assert!(!stores.branding.set_logo(club.id, Some(logo(120))).await.unwrap());
    assert_eq!(stores.branding.branding(club.id).await.unwrap(), Branding::default());
    assert_eq!(stores.branding.logo(club.id).await.unwrap(), None);
}
