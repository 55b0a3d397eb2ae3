//! Prepares the front end's folder for embedding.

const FRONT_END: &str = "../../frontend/dist";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Debug builds find the folder once, at compile time, and read its files when they run: it must exist by then,
    // also when the front end is built later. Where it cannot be made, the front end is simply missing.
    let _ = std::fs::create_dir_all(FRONT_END);
    // Release builds carry the files inside, and are built again when these have changed.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed={FRONT_END}");
    }
}
