//! Prepares the folder of fonts for embedding.

use std::path::Path;

const TOOLS: &str = "../../tools";
const FONTS: &str = "fonts/node_modules/@expo-google-fonts";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Debug builds read the fonts from the folder at run time, even if they were installed after the build. With `..`
    // in the path, this would need an existing folder.
    let tools = Path::new(TOOLS);
    let fonts = tools.canonicalize().unwrap_or_else(|_| tools.to_owned()).join(FONTS);
    println!("cargo:rustc-env=PLENUM_FONTS={}", fonts.display());
    // Release builds embed the fonts, and are built again when the fonts change.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed={}", fonts.display());
    }
}
