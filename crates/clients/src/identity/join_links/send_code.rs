use plenum_kernel::{EmailAddress, PortFailure};

use crate::identity::join_links::code::CODE_LIFETIME;
use crate::identity::join_links::service::join_token_hash;
use crate::{
    FoundJoinLink, JoinAsk, JoinCodeHash, JoinCodeLetter, JoinError, JoinTokenHash, NewJoinCode, SignInService,
};

impl SignInService {
    /// Sends a new code to the owner of the link that was found by this token. The earlier code is void.
    ///
    /// # Errors
    /// Fails when the link no longer works or asks for no code, when it had too many mails, or when the queue is full.
    pub async fn send_join_code(&self, found: &FoundJoinLink, token: &str) -> Result<(), JoinError> {
        let mails = self.ports.code_mails.as_ref().filter(|_| found.asks == JoinAsk::EmailCode);
        let (Some(mails), Some(email)) = (mails, found.email.clone()) else { return Err(JoinError::CodeNotAsked) };
        let link = self.join_token(token);
        self.code_mails.take(&link).map_err(|retry_after| JoinError::TooManyCodes { retry_after })?;
        let (code, made_at) = (self.new_code(), self.ports.clock.now());
        let new = NewJoinCode { hash: self.code_hash(token, &code), made_at, expires_at: made_at + CODE_LIFETIME };
        if !self.ports.join_links.put_code(found.client, &link, new).await? {
            return Err(JoinError::Void);
        }
        if mails.put(write_letter(found, email, &code)) {
            Ok(())
        } else {
            Err(PortFailure::busy("the queue of mail").into())
        }
    }

    /// The hash of the code of a link, for the session to use it up. `None` if it is not the right one, which counts as a try.
    pub(crate) async fn try_join_code(
        &self,
        found: &FoundJoinLink,
        token: &str,
        code: &str,
    ) -> Result<Option<JoinCodeHash>, PortFailure> {
        // Mails are copied with spaces.
        let code: String = code.chars().filter(|character| !character.is_whitespace()).collect();
        let (link, hash) = (self.join_token(token), self.code_hash(token, &code));
        let is_right = self.ports.join_links.try_code(found.client, &link, &hash, self.ports.clock.now()).await?;
        Ok(is_right.then_some(hash))
    }

    pub(crate) fn join_token(&self, token: &str) -> JoinTokenHash {
        join_token_hash(&*self.ports.refresh_tokens, token)
    }

    /// Six random digits.
    fn new_code(&self) -> String {
        let random = self.ports.refresh_tokens.hash(&self.ports.secrets.token()).0;
        let number = random.iter().fold(0_u64, |sum, byte| (sum * 256 + u64::from(*byte)) % 1_000_000);
        format!("{number:06}")
    }

    fn code_hash(&self, token: &str, code: &str) -> JoinCodeHash {
        JoinCodeHash(self.ports.refresh_tokens.hash(&format!("code {code} of {token}")).0)
    }
}

fn write_letter(found: &FoundJoinLink, to: EmailAddress, code: &str) -> JoinCodeLetter {
    let (name, organization) = (&found.name, &found.client_name);
    let text = format!(
        "Hello {name},\n\
         \n\
         your code for {organization} is {code}\n\
         \n\
         It works once, within ten minutes, and only with your personal link.\n\
         \n\
         If you did not open your personal link, somebody else has it: do not pass on this code, and tell your organizer.\n"
    );
    JoinCodeLetter { to, to_name: name.to_string(), subject: format!("Your code for {organization}"), text }
}
