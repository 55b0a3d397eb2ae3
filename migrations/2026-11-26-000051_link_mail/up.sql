-- Personal links in invitation mails (decision 78).

-- What the token of a link in a mail is derived from, together with a key that is not in the database. Null for links whose
-- token was shown to an organizer.
ALTER TABLE join_links ADD COLUMN mail_seed TEXT;

-- Whether the mail contains the personal link of its recipient for the meeting.
ALTER TABLE invitations ADD COLUMN has_personal_link BOOLEAN NOT NULL DEFAULT false;
