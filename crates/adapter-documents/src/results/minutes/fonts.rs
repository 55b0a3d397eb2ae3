use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use parley::fontique::{Blob, Collection, CollectionOptions, SourceCache};
use parley::{FontContext, FontFamily, FontFamilyName};
use rust_embed::RustEmbed;

/// The fonts: inside the binary in release builds, read from the folder in debug builds.
#[derive(RustEmbed)]
#[folder = "$PLENUM_FONTS"]
#[allow_missing = true]
#[include = "noto-sans/700Bold/NotoSans_700Bold.ttf"]
#[include = "*/400Regular/*.ttf"]
#[include = "*/LICENSE_FONT"]
struct Files;

/// The font files and their families. For each character, the first font that has it is used.
const FONTS: [(&str, &str); 25] = [
    ("noto-sans/400Regular/NotoSans_400Regular.ttf", "Noto Sans"),
    ("noto-sans/700Bold/NotoSans_700Bold.ttf", "Noto Sans"),
    ("noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf", "Noto Sans Arabic"),
    ("noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf", "Noto Sans Hebrew"),
    ("noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf", "Noto Sans Armenian"),
    ("noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf", "Noto Sans Georgian"),
    ("noto-sans-ethiopic/400Regular/NotoSansEthiopic_400Regular.ttf", "Noto Sans Ethiopic"),
    ("noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf", "Noto Sans Devanagari"),
    ("noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf", "Noto Sans Bengali"),
    ("noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf", "Noto Sans Gurmukhi"),
    ("noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf", "Noto Sans Gujarati"),
    ("noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf", "Noto Sans Tamil"),
    ("noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf", "Noto Sans Telugu"),
    ("noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf", "Noto Sans Kannada"),
    ("noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf", "Noto Sans Malayalam"),
    ("noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular.ttf", "Noto Sans Sinhala"),
    ("noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf", "Noto Sans Thai"),
    ("noto-sans-lao/400Regular/NotoSansLao_400Regular.ttf", "Noto Sans Lao"),
    ("noto-sans-khmer/400Regular/NotoSansKhmer_400Regular.ttf", "Noto Sans Khmer"),
    ("noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular.ttf", "Noto Sans Myanmar"),
    ("noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf", "Noto Sans SC"),
    ("noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf", "Noto Sans KR"),
    ("noto-emoji/400Regular/NotoEmoji_400Regular.ttf", "Noto Emoji"),
    ("noto-sans-symbols/400Regular/NotoSansSymbols_400Regular.ttf", "Noto Sans Symbols"),
    ("noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf", "Noto Sans Symbols 2"),
];

/// The content of a font file, without a copy.
struct FontFile(Cow<'static, [u8]>);

impl AsRef<[u8]> for FontFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// All fonts, or the name of the first missing one. They are read once.
static LOADED: LazyLock<Result<FontContext, &'static str>> = LazyLock::new(|| {
    let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    for (path, family) in FONTS {
        let file = Files::get(path).ok_or(path)?;
        let registered = collection.register_fonts(Blob::new(Arc::new(FontFile(file.data))), None);
        let is_there = registered.iter().any(|(id, _)| collection.family_name(*id) == Some(family));
        if !is_there {
            return Err(path);
        }
    }
    Ok(FontContext { collection, source_cache: SourceCache::default() })
});

/// The fonts of the minutes, and no others, so that documents do not depend on the machine.
///
/// # Errors
/// Returns the name of a missing font if the build had no fonts.
pub(super) fn load() -> Result<FontContext, String> {
    LOADED.clone().map_err(|path| format!("the font {path} is missing: build with `just build`"))
}

/// The copyright of each font of the minutes, and the text of their license.
pub fn licenses() -> String {
    let texts: Vec<String> = Files::iter()
        .filter(|path| path.ends_with("LICENSE_FONT"))
        .filter_map(|path| Files::get(&path))
        .map(|file| String::from_utf8_lossy(&file.data).into_owned())
        .collect();
    let copyrights: BTreeSet<&str> = texts.iter().filter_map(|text| text.lines().next()).collect();
    let license = texts.first().and_then(|text| text.split_once('\n')).map_or("", |(_, license)| license.trim());
    format!("{}\n\n{license}\n", copyrights.into_iter().collect::<Vec<_>>().join("\n"))
}

/// The families in their order.
pub(super) fn families() -> FontFamily<'static> {
    let mut names: Vec<FontFamilyName<'static>> =
        FONTS.iter().map(|(_, family)| FontFamilyName::Named(Cow::Borrowed(*family))).collect();
    names.dedup();
    FontFamily::List(Cow::Owned(names))
}
