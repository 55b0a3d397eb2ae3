use plenum_clients::{Client, EndUserCredentials};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The credentials of a voter. The password is shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_credentials)]
pub(crate) struct CredentialsView {
    organization: String,
    client_code: String,
    name: String,
    username: String,
    password: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    login_instructions: String,
}

/// An example for the OpenAPI document.
pub(super) fn example_credentials() -> Value {
    json!({
        "organization": "Rowing Club", "clientCode": "rowing-club", "name": "Ben Otto", "username": "ben",
        "password": "correct horse", "email": "ben@example.org", "loginInstructions": instructions("rowing-club"),
    })
}

fn instructions(code: &str) -> String {
    format!(
        "Open the participant portal, enter the organization code {code}, and sign in with your username and password."
    )
}

impl CredentialsView {
    pub(super) fn new(client: &Client, credentials: &EndUserCredentials) -> Self {
        let EndUserCredentials { end_user, password } = credentials;
        Self {
            organization: client.name.to_string(),
            client_code: client.code.to_string(),
            name: end_user.name.to_string(),
            username: end_user.username.to_string(),
            password: password.expose().to_owned(),
            email: end_user.email.as_ref().map(ToString::to_string),
            login_instructions: instructions(client.code.as_str()),
        }
    }
}
