use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use plenum_clients::{Client, EndUserCredentials};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::config::HttpSettings;
use crate::error::{ApiError, FieldCheck};
use crate::extract::read_site;

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
        "password": "correct horse", "email": "ben@example.org",
        "loginInstructions": instructions(Some("https://vote.example.org/participant"), "rowing-club"),
    })
}

fn instructions(portal: Option<&str>, code: &str) -> String {
    let portal = portal.unwrap_or("the address that your organization told you");
    format!("Open {portal}, enter the organization code {code}, and sign in with your username and password.")
}

/// The address of the page where voters sign in: with the configured origin, or that of the request. `None` if neither
/// is an address.
pub(crate) struct PortalAddress(Option<String>);

impl FromRequest for PortalAddress {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let settings = request.app_data::<Data<HttpSettings>>();
        let site = settings.and_then(|settings| read_site(&mut FieldCheck::default(), request, settings, None));
        ready(Ok(Self(site.map(|site| format!("{site}/participant")))))
    }
}

impl CredentialsView {
    pub(super) fn new(client: &Client, credentials: &EndUserCredentials, portal: &PortalAddress) -> Self {
        let EndUserCredentials { end_user, password } = credentials;
        Self {
            organization: client.name.to_string(),
            client_code: client.code.to_string(),
            name: end_user.name.to_string(),
            username: end_user.username.to_string(),
            password: password.expose().to_owned(),
            email: end_user.email.as_ref().map(ToString::to_string),
            login_instructions: instructions(portal.0.as_deref(), client.code.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[actix_web::test]
    async fn the_instructions_name_the_page_where_voters_sign_in() {
        let told = async |public_url: Option<&str>, host: &str| {
            let settings = HttpSettings {
                public_url: public_url.map(str::to_owned),
                base_path: "/plenum".to_owned(),
                ..HttpSettings::default()
            };
            let request = TestRequest::default().app_data(Data::new(settings)).insert_header(("Host", host));
            let portal = PortalAddress::extract(&request.to_http_request()).await.unwrap();
            instructions(portal.0.as_deref(), "club")
        };
        let how = "enter the organization code club, and sign in with your username and password.";
        let configured = told(Some("https://vote.example.org"), "10.0.0.7:8080").await;
        assert_eq!(configured, format!("Open https://vote.example.org/plenum/participant, {how}"));
        let called = told(None, "10.0.0.7:8080").await;
        assert_eq!(called, format!("Open http://10.0.0.7:8080/plenum/participant, {how}"));
        let unknown = told(None, "no host").await;
        assert_eq!(unknown, format!("Open the address that your organization told you, {how}"));
    }
}
