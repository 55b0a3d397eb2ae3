//! Embeds the migrations again when one is added or changed; the macro that reads them does not detect that.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
