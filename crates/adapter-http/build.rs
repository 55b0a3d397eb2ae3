//! Builds this crate again when the front end that release builds carry inside has changed. Debug builds read the
//! folder when they run, and need not care.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../frontend/dist");
    }
}
