use plenum_kernel::ActingPerson;
use uuid::Uuid;

use crate::{DeviceMark, RefreshError, Renewal, Rotation, SessionOrigin, SignInService, TokenPair};

impl SignInService {
    /// Exchanges a refresh token for a new pair of tokens. Each token has one successor: a second exchange within the
    /// grace period returns the same one, and so does one with the same id at any time, if nobody has used the successor.
    ///
    /// # Errors
    /// Fails when the token is unknown, was first used longer ago than the grace period and for another renewal, its
    /// session has ended, or the session was renewed too often. With [`RefreshError::Stolen`] the session has just ended,
    /// and the revocation is still to be announced.
    pub async fn refresh(
        &self,
        refresh_token: &str,
        id: Option<Uuid>,
        from: &SessionOrigin,
    ) -> Result<TokenPair, RefreshError> {
        let tokens = &self.ports.refresh_tokens;
        let refresh = tokens.successor(refresh_token);
        let renewal = Renewal {
            presented: tokens.hash(refresh_token),
            next: tokens.hash(&refresh),
            by: DeviceMark(tokens.hash(&from.mark()).0),
            id,
        };
        match self.ports.sessions.rotate(renewal, self.ports.clock.now()).await? {
            Rotation::TooOften { retry_after } => Err(RefreshError::TooOften { retry_after }),
            Rotation::Renewed { session, person } => {
                Ok(TokenPair { access: self.access_token(ActingPerson { session, person }), refresh })
            }
            Rotation::Stolen { session } => Err(RefreshError::Stolen { session }),
            Rotation::Refused => Err(RefreshError::SessionEnded),
        }
    }
}
