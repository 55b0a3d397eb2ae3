//! `/auth`: signing in, staying in, signing out.

mod end_user_login;
mod login;
mod logout;
mod me;
mod queue;
mod refresh;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use logout::DoneView;
pub(crate) use views::RoleName;

/// The largest body of a sign-in that is read, in bytes: thousands of them may wait at a time.
const MAX_LOGIN_BODY: usize = 16 * 1024;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(login::login)
        .service(end_user_login::end_user_login)
        .service(refresh::refresh_tokens)
        .service(logout::logout)
        .service(me::current_user)
        .service(queue::sign_in_queue);
}
