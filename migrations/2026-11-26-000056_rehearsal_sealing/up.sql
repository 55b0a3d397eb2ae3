-- Whether the voter's device can seal a secret ballot by itself (decision 82). NULL: not known, as from an older screen.
ALTER TABLE rehearsal_answers ADD COLUMN can_seal BOOLEAN;
