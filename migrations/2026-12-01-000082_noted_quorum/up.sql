-- Each attendance note keeps the quorum by which it is measured, as each round does, so that a later change of the meeting's quorum
-- changes no note (decision 123). JSON's null is no quorum. Notes of earlier versions have no value: the meeting's quorum measures
-- them, as before.
SET LOCAL lock_timeout = '10s';

ALTER TABLE attendance
    ADD COLUMN quorum JSONB,
    ADD CONSTRAINT attendance_quorum_check CHECK (jsonb_typeof(quorum) IN ('object', 'null'));
