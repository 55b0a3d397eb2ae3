//! Prepares the folder of fonts for embedding.

use std::path::Path;

const TOOLS: &str = "../../tools";
const FONTS: &str = "fonts/node_modules/@expo-google-fonts";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Debug builds read the fonts from the folder when they need them, also when they were installed after the build. A
    // path with `..` in it would do so only if the folder was there already.
    let tools = Path::new(TOOLS);
    let fonts = tools.canonicalize().unwrap_or_else(|_| tools.to_owned()).join(FONTS);
    println!("cargo:rustc-env=PLENUM_FONTS={}", fonts.display());
    // Release builds carry the fonts inside, and are built again when these have changed.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed={}", fonts.display());
    }
}
