import { IconCheck, IconX } from '@tabler/icons-react';
import type { Result } from '../../api/types';
import { countOf, formatNumber } from '../../shared/format';
import { presentWords } from '../../shared/result/chair-sentences';
import { formatPercent } from '../../shared/result/figures';
import { capitalized, shareWords, unitWords } from '../../shared/result/result-words';
import { type CountedKinds, kindsOf } from '../../shared/result/weight-names';
import classes from './checks.module.css';

type Check = Result['arithmetic']['checks'][number];

interface ChecksProps {
  result: Pick<Result, 'arithmetic' | 'options'> & Partial<Pick<Result, 'represented'>> & CountedKinds;
  heading: 'h3' | 'h4';
}

/** Each condition in each of its units, with its figures, one per line. */
export function Checks({ result, heading: Heading }: ChecksProps) {
  const { checks } = result.arithmetic;
  return checks.length > 0 ? (
    <div>
      <Heading className={classes.title}>Arithmetic</Heading>
      <ul className={classes.list}>
        {checks.map((check, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the checks of a result never change.
          <li key={index} className={classes.check}>
            <CheckMark isMet={check.isMet} />
            <span>{checkWords(check, result)}</span>
          </li>
        ))}
      </ul>
    </div>
  ) : null;
}

function CheckMark({ isMet }: { isMet: boolean }) {
  const Sign = isMet ? IconCheck : IconX;
  return (
    <span className={classes.mark} data-met={isMet}>
      <Sign size={14} stroke={2.5} aria-hidden="true" />
      {isMet ? 'Met' : 'Not met'}
    </span>
  );
}

const BASES: Record<Exclude<Check['base'], 'connected_at_opening'>, string> = {
  yes_plus_no: 'yes and no',
  votes_cast: 'votes cast',
  votes_without_abstentions: 'votes cast without abstentions',
  whole_register: 'the whole register',
};

/** "Yes: 412.5 of 604.5 (yes and no, by weight), 68.24 %. More than 2/3, that is 403, were needed." */
function checkWords(check: Check, result: ChecksProps['result']): string {
  const { options } = result;
  const { option, part, whole, base, unit, percent, needed, comparison, isTie, isMet, blocking } = check;
  const answer = option === null ? 'Yes' : (options.find(({ id }) => id === option)?.text ?? '');
  const name = check.group ? `${check.group}: ${answer}` : answer;
  const share = percent === null ? '' : `, ${formatPercent(percent)}`;
  const of =
    base === 'connected_at_opening'
      ? `those ${presentWords(Boolean(result.represented?.heads))}`
      : BASES[base];
  const counted = `${name}: ${formatNumber(part)} of ${formatNumber(whole)} (${of}, ${unitWords(unit, kindsOf(result))})${share}.`;
  if (needed === null) {
    return `${counted} No share of nothing is enough.`;
  }
  const atLeast = comparison === 'more_than' && needed.isEnough ? 'at least ' : '';
  const rounded = needed.isRoundedUp ? ' (rounded up)' : '';
  const asked = `${capitalized(shareWords(check))}, that is ${atLeast}${formatNumber(needed.amount)}${rounded}, ${needed.amount === 1 ? 'was' : 'were'} needed.`;
  const tie = isTie ? ` A tie is ${isMet ? 'accepted' : 'rejected'}.` : '';
  const block = blocking
    ? ` ${countOf(blocking.against, 'person', 'people')} not in favor; ${formatNumber(blocking.minority)} could block it.`
    : '';
  return `${counted} ${asked}${tie}${block}`;
}
