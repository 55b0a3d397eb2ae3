import type { Result } from '../../../api/types';
import { decisionSentence } from '../../../shared/result/chair-sentences';
import { surveySummary } from '../../../shared/result/survey';

export interface SpokenResultProps {
  result: Result;
}

/** The announcement of a declared result for screen readers. */
export function SpokenResult({ result }: SpokenResultProps) {
  return `Result of question ${result.position}. ${surveySummary(result) ?? decisionSentence(result)}`;
}
