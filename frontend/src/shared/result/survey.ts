import type { Result } from '../../api/types';
import { countOf } from '../format';
import { isSurvey, meanSentence } from './figures';

/** More names than these are not listed. */
const MOST_LEADERS = 3;

/** A survey in a few words, as it has no verdict: "Mean 3.8", "12 answers" or "Most votes: Roof". Null if it decides. */
export function surveySummary(result: Result): string | null {
  if (!isSurvey(result)) {
    return null;
  }
  if (result.numbers) {
    return meanSentence(result);
  }
  return result.questionType === 'OPEN_TEXT'
    ? countOf(result.votesCast.heads, 'answer')
    : leadersSentence(result);
}

/** In the order of the agenda. The shares of the options are not needed, so a voter's first load goes without them. */
function leadersSentence(result: Result): string {
  const most = Math.max(0, ...result.options.map(({ heads }) => heads));
  const leaders = result.options.filter(({ heads }) => heads === most);
  if (most === 0) {
    return 'No votes';
  }
  return leaders.length > MOST_LEADERS
    ? `Most votes: ${leaders.length} options, with the same number`
    : `Most votes: ${leaders.map(({ text }) => text).join(', ')}`;
}
