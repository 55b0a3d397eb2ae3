import type { DeskPurpose } from '../../api/types';

interface PurposeWords {
  label: string;
  /** What a helper with the link can do. */
  text: string;
  /** The name that is suggested for the first one is followed by its number. */
  name: string;
}

const WORDS: Record<DeskPurpose, PurposeWords> = {
  CHECK_IN: {
    label: 'Check-in',
    text: 'The helper checks people in and out.',
    name: 'Desk',
  },
  VOTING_PLACE: {
    label: 'Voting place',
    text: 'The helper looks a person up, and the person votes on the screen of this device.',
    name: 'Voting place',
  },
  TELLERS: {
    label: 'Tellers',
    text: 'The teller enters votes on paper, and confirms those that others have entered. Nobody confirms their own entries, so two tellers need two links.',
    name: 'Tellers',
  },
};

/** The words for a purpose. */
export function purposeWords(purpose: DeskPurpose): PurposeWords {
  return WORDS[purpose];
}
