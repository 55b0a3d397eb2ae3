use std::sync::Arc;

use plenum_adapter_http::HttpSettings;
use plenum_clients::{
    AccessCheck, AccountService, JoinCodeMails, JoinLinkPorts, JoinLinkService, PasswordResetService, ResetLetters,
    ResetPorts, SecondFactorService, SessionService, SignInPorts, SignInService, SuperAdminPorts,
};

use super::security::SecurityPorts;
use super::stores::Stores;
use crate::workers::{MailSetup, send_join_codes, send_reset_mail};

/// Accounts, sign-in, sessions, second factors and forgotten passwords.
pub(super) struct Identity {
    pub(super) access: Arc<AccessCheck>,
    pub(super) sign_in: Arc<SignInService>,
    pub(super) accounts: Arc<AccountService>,
    pub(super) sessions: Arc<SessionService>,
    pub(super) join_links: Arc<JoinLinkService>,
    pub(super) second_factors: Arc<SecondFactorService>,
    pub(super) password_resets: Arc<PasswordResetService>,
    pub(super) super_admins: SuperAdminPorts,
}

impl Identity {
    pub(super) fn new(
        stores: &Stores,
        ports: &SecurityPorts,
        password_resets: Arc<PasswordResetService>,
        mail: Option<&MailSetup>,
    ) -> Self {
        let code_mails = mail.map(|mail| send_join_codes(mail, &ports.ids));
        let mails_codes = code_mails.is_some();
        let sign_in = Arc::new(SignInService::new(sign_in_ports(stores, ports, code_mails)));
        Self {
            access: Arc::new(AccessCheck::new(
                Arc::clone(&ports.access_tokens),
                Arc::clone(&stores.sessions),
                Arc::clone(&ports.clock),
            )),
            accounts: Arc::new(AccountService::new(Arc::clone(&stores.accounts), Arc::clone(&sign_in))),
            sessions: Arc::new(SessionService::new(Arc::clone(&stores.session_lists), Arc::clone(&ports.clock))),
            join_links: Arc::new(JoinLinkService::new(JoinLinkPorts {
                links: Arc::clone(&stores.join_link_lists),
                tokens: Arc::clone(&ports.refresh_tokens),
                secrets: Arc::clone(&ports.secrets),
                clock: Arc::clone(&ports.clock),
                mails_codes,
            })),
            second_factors: Arc::new(SecondFactorService::new(Arc::clone(&sign_in), Arc::clone(&stores.accounts))),
            sign_in,
            password_resets,
            super_admins: SuperAdminPorts {
                accounts: Arc::clone(&stores.accounts),
                hasher: Arc::clone(&ports.hasher),
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
            },
        }
    }
}

fn sign_in_ports(stores: &Stores, ports: &SecurityPorts, code_mails: Option<Arc<dyn JoinCodeMails>>) -> SignInPorts {
    SignInPorts {
        accounts: Arc::clone(&stores.sign_in_accounts),
        clients: Arc::clone(&stores.clients),
        profiles: Arc::clone(&stores.profiles),
        sessions: Arc::clone(&stores.sessions),
        passwords: Arc::clone(&stores.passwords),
        join_links: Arc::clone(&stores.join_links),
        factors: Arc::clone(&stores.second_factors),
        factor_cipher: Arc::clone(&ports.factor_cipher),
        hasher: Arc::clone(&ports.hasher),
        access_tokens: Arc::clone(&ports.access_tokens),
        refresh_tokens: Arc::clone(&ports.refresh_tokens),
        device_tokens: Arc::clone(&ports.device_tokens),
        secrets: Arc::clone(&ports.secrets),
        clock: Arc::clone(&ports.clock),
        ids: Arc::clone(&ports.ids),
        trail: Arc::clone(&stores.audit_trail),
        code_mails,
    }
}

/// The service for forgotten passwords. It sends mail only if a mail server and the public address are configured.
///
/// Links use the configured public address, never the address in a request, which its sender could choose.
pub(super) fn password_resets(
    stores: &Stores,
    ports: &SecurityPorts,
    mail: Option<&MailSetup>,
    http: &HttpSettings,
) -> Arc<PasswordResetService> {
    let reset_ports = ResetPorts {
        accounts: Arc::clone(&stores.accounts),
        passwords: Arc::clone(&stores.passwords),
        hasher: Arc::clone(&ports.hasher),
        tokens: Arc::clone(&ports.refresh_tokens),
        secrets: Arc::clone(&ports.secrets),
        clock: Arc::clone(&ports.clock),
        trail: Arc::clone(&stores.audit_trail),
    };
    let page = http.public_url.as_ref().map(|origin| format!("{origin}{}/reset-password", http.base_path));
    let requests = mail.zip(page).map(|(mail, page)| {
        let letters = Arc::new(ResetLetters::new(reset_ports.clone()));
        send_reset_mail(letters, page, mail, Arc::clone(&ports.ids))
    });
    Arc::new(PasswordResetService::new(reset_ports, requests))
}
