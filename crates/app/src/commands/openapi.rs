use plenum_adapter_http::openapi_document;

use super::CommandError;
use crate::Config;
use crate::output::print_line;

pub(super) fn run(config: &Config) -> Result<(), CommandError> {
    print_line(&openapi_document(&config.base_path).to_pretty_json()?);
    Ok(())
}
