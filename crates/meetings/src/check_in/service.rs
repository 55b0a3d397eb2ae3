use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, Clock, DeskId, EndUserId, MeetingId, NewIds, PortFailure, PresenceEntryId, Secrets,
};

use crate::check_in::self_code::{code_number, next_code_at, typed_code, valid_numbers};
use crate::live::LiveSignals;
use crate::{
    AttendanceFilter, AttendancePage, AttendanceRecord, AttendanceTotals, Attendee, CallingDesk, CheckInRule,
    CheckInStore, DESK_TOKEN_MARK, Desk, DeskName, DeskPurpose, DeskStore, DeskTokenHash, MAX_DESK_PAGE, MakeDeskError,
    NewDesk, NewPresence, NotePresenceError, OwnCheckIn, PresenceBy, PresenceEntry, PresenceKind, PresenceOutcome,
};

/// Hashes the tokens of desks.
pub trait DeskTokens: Send + Sync {
    /// The hash of a token. MUST be one-way.
    fn hash(&self, token: &str) -> DeskTokenHash;
}

/// The ports of [`CheckInService`].
pub struct CheckInPorts {
    /// Who came and went.
    pub check_ins: Arc<dyn CheckInStore>,
    /// Desks.
    pub desks: Arc<dyn DeskStore>,
    /// Hashes the tokens of desks.
    pub tokens: Arc<dyn DeskTokens>,
    /// Informs the live screens.
    pub signals: Arc<dyn LiveSignals>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn NewIds>,
    /// The source of tokens.
    pub secrets: Arc<dyn Secrets>,
}

/// An entry that a desk sends, perhaps later than it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeskEntry {
    /// The id, made on the device.
    pub id: PresenceEntryId,
    /// The person.
    pub end_user: EndUserId,
    /// Whether the person came or went.
    pub kind: PresenceKind,
    /// The time at which it happened, if it could not be sent at once.
    pub happened_at: Option<DateTime<Utc>>,
}

/// The code on the presentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownCode {
    /// The code.
    pub code: String,
    /// When another one is shown.
    pub until: DateTime<Utc>,
}

/// Checks people in and out, and makes desks.
pub struct CheckInService {
    ports: CheckInPorts,
}

impl CheckInService {
    /// Creates the service on these ports.
    pub fn new(ports: CheckInPorts) -> Self {
        Self { ports }
    }

    async fn note(&self, new: NewPresence) -> Result<PresenceOutcome, NotePresenceError> {
        let (meeting, end_user, kind) = (new.meeting, new.end_user, new.kind);
        let outcome = self.ports.check_ins.note(new).await?;
        if outcome.is_change() {
            self.ports.signals.presence_changed(meeting, end_user, kind == PresenceKind::In).await;
        }
        Ok(outcome)
    }

    /// Checks a person in or out by hand, and informs the live screens.
    ///
    /// # Errors
    /// Fails when there is no such meeting or person, or a rule forbids it.
    pub async fn note_by_hand(
        &self,
        (owner, meeting): (ClientId, MeetingId),
        end_user: EndUserId,
        kind: PresenceKind,
        by: AccountId,
    ) -> Result<PresenceOutcome, NotePresenceError> {
        let id = PresenceEntryId::new(&*self.ports.ids);
        let (now, by) = (self.ports.clock.now(), PresenceBy::Organizer(by));
        self.note(NewPresence { id, client: owner, meeting, end_user, kind, happened_at: None, now, by }).await
    }

    /// Stores an entry of a desk, and informs the live screens. A time that cannot be true gives way to the time of the server: one
    /// in the future, or before `contact`, the last response that the device had, or before the desk was made.
    ///
    /// # Errors
    /// As [`Self::note_by_hand`].
    pub async fn note_at_desk(
        &self,
        desk: &CallingDesk,
        entry: DeskEntry,
        contact: Option<DateTime<Utc>>,
    ) -> Result<PresenceOutcome, NotePresenceError> {
        let now = self.ports.clock.now();
        let earliest = contact.map_or(desk.made_at, |contact| contact.max(desk.made_at));
        let DeskEntry { id, end_user, kind, happened_at } = entry;
        let happened_at = happened_at.filter(|at| (earliest..=now).contains(at));
        let by = PresenceBy::Desk(desk.id);
        let new = NewPresence { id, client: desk.client, meeting: desk.meeting, end_user, kind, happened_at, now, by };
        self.note(new).await
    }

    /// Checks a voter in who has typed or scanned the code of the presentation, and informs the live screens.
    ///
    /// # Errors
    /// As [`Self::note_by_hand`]; `NoSelfCheckIn` and `WrongCode`.
    pub async fn check_self_in(
        &self,
        (owner, meeting): (ClientId, MeetingId),
        voter: EndUserId,
        code: &str,
    ) -> Result<PresenceOutcome, NotePresenceError> {
        let now = self.ports.clock.now();
        let own = self.ports.check_ins.own(owner, meeting, voter).await?;
        let own = own.ok_or(NotePresenceError::MeetingNotFound)?;
        if let Some(entry) = own.present {
            return Ok(PresenceOutcome::AlreadyIn(entry));
        }
        let codes = self.ports.check_ins.codes(meeting, valid_numbers(now)).await?;
        let codes = codes.ok_or(NotePresenceError::Rule(CheckInRule::NoSelfCheckIn))?;
        if !codes.contains(&typed_code(code)) {
            return Err(CheckInRule::WrongCode.into());
        }
        let (id, by) = (PresenceEntryId::new(&*self.ports.ids), PresenceBy::Person);
        let kind = PresenceKind::In;
        self.note(NewPresence { id, client: owner, meeting, end_user: voter, kind, happened_at: None, now, by }).await
    }

    /// The code that the presentation shows now. `None` if voters cannot check themselves in.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn shown_code(&self, meeting: MeetingId) -> Result<Option<ShownCode>, PortFailure> {
        let now = self.ports.clock.now();
        let codes = self.ports.check_ins.codes(meeting, vec![code_number(now)]).await?;
        let code = codes.and_then(|codes| codes.into_iter().next());
        Ok(code.map(|code| ShownCode { code, until: next_code_at(now) }))
    }

    /// The check-in of a voter. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn own(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Option<OwnCheckIn>, PortFailure> {
        self.ports.check_ins.own(owner, meeting, voter).await
    }

    /// The people of a meeting that match the filter, with totals. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn people(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &AttendanceFilter,
    ) -> Result<Option<AttendancePage>, PortFailure> {
        self.ports.check_ins.people(owner, meeting, filter).await
    }

    /// All people of a meeting and the whole log. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceRecord>, PortFailure> {
        self.ports.check_ins.record(owner, meeting).await
    }

    /// A part of the people of a desk's meeting, in the order of their ids.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn people_of_desk(
        &self,
        desk: &CallingDesk,
        after: Option<EndUserId>,
    ) -> Result<Vec<Attendee>, PortFailure> {
        self.ports.check_ins.people_after(desk.client, desk.meeting, after, MAX_DESK_PAGE).await
    }

    /// Entries after this number in a desk's meeting, in order, also those of other desks.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn entries_of_desk(&self, desk: &CallingDesk, number: u32) -> Result<Vec<PresenceEntry>, PortFailure> {
        self.ports.check_ins.entries_after(desk.client, desk.meeting, number, MAX_DESK_PAGE).await
    }

    /// The figures of a desk's meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn totals_of_desk(&self, desk: &CallingDesk) -> Result<AttendanceTotals, PortFailure> {
        Ok(self.ports.check_ins.totals(desk.client, desk.meeting).await?.unwrap_or_default())
    }

    /// Makes a desk, and returns it with its token, which cannot be read again.
    ///
    /// # Errors
    /// Fails when there is no such meeting, it is over, or it has this desk or too many desks.
    pub async fn make_desk(
        &self,
        (owner, meeting): (ClientId, MeetingId),
        (name, purpose): (DeskName, DeskPurpose),
        by: AccountId,
    ) -> Result<(Desk, String), MakeDeskError> {
        let token = format!("{DESK_TOKEN_MARK}{}", self.ports.secrets.token());
        let new = NewDesk {
            id: DeskId::new(&*self.ports.ids),
            client: owner,
            meeting,
            name,
            purpose,
            token_hash: self.ports.tokens.hash(&token),
            now: self.ports.clock.now(),
            by,
        };
        let desk = self.ports.desks.add(new).await?;
        Ok((desk, token))
    }

    /// The desks of a meeting, the earliest first. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn desks(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Desk>>, PortFailure> {
        self.ports.desks.list(owner, meeting).await
    }

    /// Revokes a desk at once. Returns whether the client's meeting has it.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn revoke_desk(&self, owner: ClientId, meeting: MeetingId, desk: DeskId) -> Result<bool, PortFailure> {
        self.ports.desks.revoke(owner, meeting, desk, self.ports.clock.now()).await
    }

    /// The desk with this token, also one that is revoked. `None` if there is none.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn find_desk(&self, token: &str) -> Result<Option<CallingDesk>, PortFailure> {
        self.ports.desks.find(&self.ports.tokens.hash(token)).await
    }
}
