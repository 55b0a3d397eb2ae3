use std::net::IpAddr;

use chrono::TimeDelta;
use plenum_kernel::{ActingPerson, PortFailure};
use uuid::Uuid;

use crate::identity::sign_in::attempt::SignInName;
use crate::identity::sign_in::service::{SessionTerms, name_of};
use crate::{
    ClientKey, FoundJoinLink, JoinAsk, JoinLinkUse, OpenedSession, SecondFactorProof, SessionOrigin, SignInError,
    SignInService, SignedIn, Waiting,
};

/// A sign-in with a personal link.
#[derive(Clone, Debug)]
pub struct JoinSignIn {
    /// The token of the link.
    pub token: String,
    /// A random id that the device chose for this sign-in, and sends again until it has the response. Only the device knows it.
    pub attempt_id: Option<Uuid>,
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

/// What a sign-in with a link finds.
pub enum FoundJoin {
    /// A link that works.
    Link {
        /// The link.
        link: Box<FoundJoinLink>,
        /// The first refresh token of the session, if the sign-in has an id that has opened none yet.
        first_token: Option<String>,
    },
    /// The session that the same sign-in has opened before. The response was lost.
    Opened {
        /// The session.
        session: OpenedSession,
        /// Its first refresh token.
        first_token: String,
    },
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

    /// Finds what a sign-in with a link needs: the session that the same sign-in has opened, as long as it can be repeated, or
    /// else the link, if it works. Uses nothing up.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find_join(&self, typed: &JoinSignIn) -> Result<Option<FoundJoin>, PortFailure> {
        // The link first: a simultaneous request of the same sign-in may use it up between the two, and its session is seen then.
        let link = self.find_join_link(&typed.token).await?;
        let mut first_token = typed.attempt_id.map(|attempt| self.first_token(&typed.token, attempt));
        if let Some(token) = first_token.take() {
            match self.ports.sessions.opened_with(self.ports.refresh_tokens.hash(&token)).await? {
                Some(session) if session.can_be_repeated(self.ports.clock.now()) => {
                    return Ok(Some(FoundJoin::Opened { session, first_token: token }));
                }
                // A link that works more than once opens another session, whose token nobody can repeat.
                Some(_) => {}
                None => first_token = Some(token),
            }
        }
        Ok(link.map(|link| FoundJoin::Link { link: Box::new(link), first_token }))
    }

    /// Signs in the owner of the link that [`Self::find_join`] found for this sign-in. Uses up a link that signs in only once,
    /// and a code, in the transaction that opens the session. The same sign-in again continues its session.
    ///
    /// # Errors
    /// Fails when the link no longer works, or its password or code is missing or wrong, or there were too many failures.
    pub async fn sign_in_by_link(&self, found: FoundJoin, mut typed: JoinSignIn) -> Result<SignedIn, JoinError> {
        let (found, first_token) = match found {
            FoundJoin::Opened { session, first_token } => return self.repeat_join(&session, first_token, &typed).await,
            FoundJoin::Link { link, first_token } => (*link, first_token),
        };
        let origin = SessionOrigin::new(typed.from, typed.device.as_deref());
        let name = SignInName::end_user(&ClientKey::Id(found.client), &found.username);
        let attempt = self.recognize(Some(name), typed.from, &typed.device_tokens);
        let mut right_code = None;
        let checked = match (found.asks, typed.password.take(), &typed.code) {
            (JoinAsk::Nothing, ..) => found.credentials,
            (JoinAsk::Password, None, _) => return Err(JoinError::PasswordRequired),
            (JoinAsk::Password, Some(password), _) => {
                self.admit(&attempt, &typed.waiting)?;
                let waiting = std::mem::take(&mut typed.waiting);
                self.check_password(attempt.clone(), Some(found.credentials), password, waiting).await?
            }
            (JoinAsk::EmailCode, _, None) => return Err(JoinError::CodeRequired),
            (JoinAsk::EmailCode, _, Some(code)) => {
                right_code = self.try_join_code(&found, &typed.token, code).await?;
                if right_code.is_none() {
                    return self.answer_refused(&typed, true).await;
                }
                found.credentials
            }
        };
        let has_code = right_code.is_some();
        let terms = SessionTerms {
            second_factor: SecondFactorProof::NotAsked,
            join_link: Some(JoinLinkUse { token: self.join_token(&typed.token), code: right_code }),
            first_token,
            remember_me: typed.remember_me,
            origin,
        };
        // Of several sign-ins with a link or a code that works once, one succeeds.
        match self.open_session(&attempt, checked, terms).await {
            Err(SignInError::WrongCredentials) => self.answer_refused(&typed, has_code).await,
            outcome => outcome.map_err(JoinError::from),
        }
    }

    /// The response to a sign-in that could open no session. The same sign-in may have opened one at this moment, by a
    /// connection that was lost.
    async fn answer_refused(&self, typed: &JoinSignIn, has_code: bool) -> Result<SignedIn, JoinError> {
        match self.find_join(typed).await? {
            Some(FoundJoin::Opened { session, first_token }) => self.repeat_join(&session, first_token, typed).await,
            // The link still works, so it was the code that is wrong, or was used or replaced.
            Some(FoundJoin::Link { .. }) if has_code => Err(JoinError::WrongCode),
            Some(FoundJoin::Link { .. }) | None => Err(JoinError::Void),
        }
    }

    /// The response to a sign-in that has opened this session before: the same session, so that there is never a second one. Asks
    /// for no password or code again, because only the device that gave them knows the id of the sign-in.
    async fn repeat_join(
        &self,
        opened: &OpenedSession,
        first_token: String,
        typed: &JoinSignIn,
    ) -> Result<SignedIn, JoinError> {
        let acting = ActingPerson { session: opened.id, person: opened.session_state.person };
        let profile = self.profile(acting.person).await?.ok_or(JoinError::Void)?;
        let attempt = self.recognize(name_of(&profile), typed.from, &typed.device_tokens);
        Ok(self.signed_in(&attempt, acting, first_token, profile))
    }

    /// The first refresh token of the session that a sign-in with this id opens. Depends on a key of the server, so that only
    /// the server can tell it from the link and the id.
    fn first_token(&self, token: &str, attempt: Uuid) -> String {
        self.ports.refresh_tokens.successor(&format!("sign-in {attempt} by {token}"))
    }
}
