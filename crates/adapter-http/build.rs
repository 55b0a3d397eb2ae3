//! Prepares the front end's folder for embedding.

const FRONT_END: &str = "../../frontend/dist";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Debug builds resolve the folder at compile time and read its files at run time, so it must exist now. If it
    // cannot be created, the front end is missing.
    let _ = std::fs::create_dir_all(FRONT_END);
    // Release builds contain the files, so a change of them requires a new build.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed={FRONT_END}");
    }
}
