//! `/auth`: sign-in, personal links, sessions, passwords, second factors.

mod device;
mod end_user_login;
mod forgotten_password;
mod join;
mod login;
mod logout;
mod me;
mod password;
mod queue;
mod refresh;
mod second_factor;
mod sessions;
mod views;

pub(crate) use views::RoleName;

use crate::registration::Routes;

/// The largest body of a sign-in, in bytes. It is small because thousands of sign-ins may wait at once.
const MAX_LOGIN_BODY: usize = 16 * 1024;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(login::login)
        .service(end_user_login::end_user_login)
        .service(join::look_up_join_link)
        .service(join::send_join_code)
        .service(join::join)
        .service(refresh::refresh_tokens)
        .service(logout::logout)
        .service(me::current_user)
        .service(queue::sign_in_queue)
        .service(sessions::list_own_sessions)
        .service(sessions::end_own_session)
        .service(sessions::sign_out_everywhere)
        .service(password::change_own_password)
        .service(forgotten_password::sign_in_options)
        .service(forgotten_password::forgotten_password)
        .service(forgotten_password::reset_password)
        .service(second_factor::find_second_factor)
        .service(second_factor::begin_second_factor)
        .service(second_factor::confirm_second_factor)
        .service(second_factor::renew_recovery_codes)
        .service(second_factor::remove_second_factor);
}
