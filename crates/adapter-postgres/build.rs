//! Embeds the migrations anew when one is added or changed; the macro that reads them cannot say so itself.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
