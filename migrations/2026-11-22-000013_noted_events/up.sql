-- The last thing that had happened in the meeting when it was noted who was there. By the time of the note it cannot be told
-- whether a thing was noted: another instance's clock may have made the one or the other. Those of an instance of the version
-- before do not have it; for these it is the time of the note.
ALTER TABLE attendance ADD COLUMN event_at TIMESTAMPTZ;
