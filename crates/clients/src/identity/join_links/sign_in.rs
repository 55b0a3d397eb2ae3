use std::net::IpAddr;

use chrono::TimeDelta;
use plenum_kernel::PortFailure;

use crate::identity::sign_in::attempt::SignInName;
use crate::identity::sign_in::service::SessionTerms;
use crate::{
    ClientKey, FoundJoinLink, JoinAsk, SecondFactorProof, SessionOrigin, SignInError, SignInService, SignedIn, Waiting,
};

/// A sign-in with a personal link.
#[derive(Clone, Debug)]
pub struct JoinSignIn {
    /// The token of the link.
    pub token: String,
    /// The password, as typed, if the link asks for it.
    pub password: Option<String>,
    /// The one-time code, as typed, if the link asks for it.
    pub code: Option<String>,
    /// Whether the person chose to stay signed in.
    pub remember_me: bool,
    /// The network address of the caller.
    pub from: IpAddr,
    /// The browser's description of itself.
    pub device: Option<String>,
    /// The device tokens of earlier sign-ins on the device, at most [`crate::MAX_DEVICE_TOKENS`].
    pub device_tokens: Vec<String>,
    /// The place of the request in the queue.
    pub waiting: Waiting,
}

/// The reason why a link did not sign in, or got no code.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The link is unknown, revoked, expired, used or replaced, its meeting is over, or its owner may not sign in. The caller
    /// does not learn which.
    #[error(
        "this personal link no longer works; sign in with your username and password, or ask your organizer for a new link"
    )]
    Void,
    /// The link asks for the password.
    #[error("the password is required")]
    PasswordRequired,
    /// The link asks for a one-time code.
    #[error("the code from the email is required")]
    CodeRequired,
    /// The code is not the last one that was sent, or it is too old, or there were too many tries.
    #[error("this code is wrong or too old; request a new one")]
    WrongCode,
    /// A code was requested for a link that asks for something else.
    #[error("this personal link asks for no code")]
    CodeNotAsked,
    /// The link had its mails with codes.
    #[error("too many codes were sent")]
    TooManyCodes {
        /// The time until the next code can be sent.
        retry_after: TimeDelta,
    },
    /// The sign-in was refused.
    #[error(transparent)]
    SignIn(#[from] SignInError),
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl SignInService {
    /// Finds a link that works, whose owner may sign in. Uses nothing up. Where no code can be mailed, the link asks for the
    /// password instead.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find_join_link(&self, token: &str) -> Result<Option<FoundJoinLink>, PortFailure> {
        let found = self.ports.join_links.find(&self.join_token(token), self.ports.clock.now()).await?;
        Ok(found.filter(|link| link.credentials.may_sign_in).map(|link| {
            let cannot_mail = self.ports.code_mails.is_none() || link.email.is_none();
            let is_replaced = link.asks == JoinAsk::EmailCode && cannot_mail;
            FoundJoinLink { asks: if is_replaced { JoinAsk::Password } else { link.asks }, ..link }
        }))
    }

    /// Signs in the owner of the link that was found by the token. Uses up a link that signs in only once.
    ///
    /// # Errors
    /// Fails when the link no longer works, or its password or code is missing or wrong, or there were too many failures.
    pub async fn sign_in_by_link(&self, found: FoundJoinLink, typed: JoinSignIn) -> Result<SignedIn, JoinError> {
        let origin = SessionOrigin::new(typed.from, typed.device.as_deref());
        let name = SignInName::end_user(&ClientKey::Id(found.client), &found.username);
        let attempt = self.recognize(Some(name), typed.from, &typed.device_tokens);
        let checked = match (found.asks, typed.password, typed.code) {
            (JoinAsk::Nothing, ..) => found.credentials,
            (JoinAsk::Password, None, _) => return Err(JoinError::PasswordRequired),
            (JoinAsk::Password, Some(password), _) => {
                self.admit(&attempt, &typed.waiting)?;
                self.check_password(attempt.clone(), Some(found.credentials), password, typed.waiting).await?
            }
            (JoinAsk::EmailCode, _, None) => return Err(JoinError::CodeRequired),
            (JoinAsk::EmailCode, _, Some(code)) => {
                if !self.use_join_code(&found, &typed.token, &code).await? {
                    return Err(JoinError::WrongCode);
                }
                found.credentials
            }
        };
        let terms = SessionTerms {
            second_factor: SecondFactorProof::NotAsked,
            join_link: Some(self.join_token(&typed.token)),
            remember_me: typed.remember_me,
            origin,
        };
        // Of several sign-ins with a link that works once, one succeeds.
        self.open_session(&attempt, checked, terms).await.map_err(|error| match error {
            SignInError::WrongCredentials => JoinError::Void,
            error => error.into(),
        })
    }
}
