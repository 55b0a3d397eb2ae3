import type { QuestionType } from '../api/types';

/** The names of the question types as every screen shows them. */
export function questionTypeLabel(type: QuestionType, ratingMax?: number | null): string {
  switch (type) {
    case 'YES_NO':
      return 'Yes/No Question';
    case 'MULTIPLE_CHOICE':
      return 'Multiple Choice';
    case 'OPEN_TEXT':
      return 'Open Text';
    case 'RATING':
      return `Rating (1-${ratingMax ?? 5})`;
    case 'PERCENTAGE':
      return 'Percentage';
    case 'ELECTION':
      return 'Election';
  }
}

/** 0 → "A", 25 → "Z", 26 → "AA". */
export function optionLetter(position: number): string {
  const before = Math.floor(position / 26);
  return (before > 0 ? optionLetter(before - 1) : '') + String.fromCharCode(65 + (position % 26));
}

/** Whether the answers of this type are options. */
export function hasOptions(type: QuestionType): boolean {
  return type === 'YES_NO' || type === 'MULTIPLE_CHOICE';
}
