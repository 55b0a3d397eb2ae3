import type { Result } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../format';
import { comparisonWords } from './chair-sentences';
import { type Unit, unitsOf } from './figures';

/* The shares of a result, the same on every screen: one base of percentages, which is named, the options with the most
   votes first, and as few digits as tell the truth. */

type OptionResult = Result['options'][number];
type Check = Result['arithmetic']['checks'][number];
type Base = Check['base'];
type Count = Result['register'];

export type SharedResult = Pick<
  Result,
  | 'options'
  | 'votesCast'
  | 'register'
  | 'absent'
  | 'present'
  | 'represented'
  | 'decision'
  | 'decisionRule'
  | 'arithmetic'
> & {
  /** Whether the options are in the order of the screen already. */
  isInOrder?: boolean;
  /** The bases of options that have one of their own, by their ids. */
  wholes?: ReadonlyMap<string, number>;
};

export interface Share {
  votes: number;
  /** Null without a share: nobody is in the base, or the base leaves this option out. */
  percent: number | null;
  /** "73 %", or a dash without a share. */
  text: string;
  /** The shares that this option needed. */
  needed: Needed[];
}

export interface Needed {
  /** The place of the line on the bar. */
  percent: number;
  /** "more than half" */
  label: string;
}

export interface ShareRow {
  option: OptionResult;
  isElected: boolean;
  isTied: boolean;
  shares: Record<Unit, Share>;
}

export interface Shares {
  /** The base of all percentages: "of the votes cast". */
  base: string;
  /** The units in which the votes of the rule count. */
  units: Unit[];
  /** The elected options first, then by votes. Equal ones stay in the order of the agenda, abstentions are the last. */
  rows: ShareRow[];
}

const BASES: Record<Base, string> = {
  yes_plus_no: 'of the yes and no votes',
  votes_cast: 'of the votes cast',
  votes_without_abstentions: 'of the votes without abstentions',
  whole_register: 'of the register',
  connected_at_opening: 'of those present',
};

/** More digits than these are shown by no screen. Weights have up to six decimals, so a share can need some of them. */
const MOST_DIGITS = 8;

/** "of those present", or "of those present or represented" where there were proxies. */
function ofBase(base: Base, { represented }: Pick<SharedResult, 'represented'>): string {
  const hasProxies = base === 'connected_at_opening' && (represented?.heads ?? 0) > 0;
  return hasProxies ? `${BASES[base]} or represented` : BASES[base];
}

export function sharesOf(result: SharedResult): Shares {
  const base = baseOf(result);
  const units = unitsOf(result.decisionRule);
  const options = inOrder(result, units[0] ?? 'heads');
  const heads = unitShares(result, options, base, 'heads');
  const weight = unitShares(result, options, base, 'weight');
  const { elected, tie } = result.decision;
  return {
    base: ofBase(base, result),
    units,
    rows: options.flatMap((option, index) => {
      const [ofHeads, ofWeight] = [heads[index], weight[index]];
      return ofHeads && ofWeight
        ? {
            option,
            isElected: elected.includes(option.id),
            isTied: tie?.options.includes(option.id) ?? false,
            shares: { heads: ofHeads, weight: ofWeight },
          }
        : [];
    }),
  };
}

/** The base of the decision rule; without a majority in it, the votes cast. */
function baseOf({ decisionRule }: SharedResult): Base {
  switch (decisionRule?.kind) {
    case 'majority':
      return decisionRule.conditions[0]?.base ?? 'votes_cast';
    case 'each_option':
      return decisionRule.condition.base;
    default:
      return 'votes_cast';
  }
}

function inOrder({ options, decision, isInOrder }: SharedResult, unit: Unit): OptionResult[] {
  if (isInOrder) {
    return options;
  }
  const rank = ({ id, role }: OptionResult) =>
    decision.elected.includes(id) ? 0 : role === 'abstain' ? 2 : 1;
  // Sorting is stable: equal options stay in the order of the agenda.
  return [...options].sort((left, right) => rank(left) - rank(right) || right[unit] - left[unit]);
}

function unitShares(result: SharedResult, options: OptionResult[], base: Base, unit: Unit): Share[] {
  const whole = wholeOf(result, base, unit);
  const percents = options.map((option) => {
    const all = result.wholes?.get(option.id) ?? whole;
    return all > 0 && !(leavesOutAbstentions(base) && option.role === 'abstain')
      ? (option[unit] / all) * 100
      : null;
  });
  const checks = result.arithmetic.checks.filter((check) => check.unit === unit);
  const needs = options.map((option) => checks.filter((check) => isFor(check, option)));
  const digits = digitsFor(result, options, percents, needs, base);
  return options.map((option, index) => {
    const percent = percents[index] ?? null;
    return {
      votes: option[unit],
      percent,
      text: percent === null ? '–' : `${percent.toFixed(digits)}${PERCENT_SIGN}`,
      needed: neededOf(needs[index] ?? [], base, whole),
    };
  });
}

function leavesOutAbstentions(base: Base): boolean {
  return base === 'yes_plus_no' || base === 'votes_without_abstentions';
}

function isFor(check: Check, option: OptionResult): boolean {
  return check.option === null ? option.role === 'yes' : check.option === option.id;
}

/** All votes of a base, as the server measured them; of a base that it did not check, from the counts. */
function wholeOf(result: SharedResult, base: Base, unit: Unit): number {
  const checked = result.arithmetic.checks.find((check) => check.base === base && check.unit === unit);
  if (checked) {
    return checked.whole;
  }
  switch (base) {
    case 'yes_plus_no':
      return result.options
        .filter(({ role }) => role === 'yes' || role === 'no')
        .reduce((sum, option) => sum + option[unit], 0);
    case 'votes_cast':
      return result.votesCast[unit];
    case 'votes_without_abstentions':
      return result.options
        .filter(({ role }) => role === 'abstain')
        .reduce((left, option) => left - option[unit], result.votesCast[unit]);
    case 'whole_register':
      return withMore(result.register, result.absent, unit);
    case 'connected_at_opening':
      return withMore(result.present, result.represented, unit);
  }
}

/** Those who were not checked in belong to the register as a base, and those who were represented to the present. */
function withMore(count: Count, more: Count | null | undefined, unit: Unit): number {
  return count[unit] + (more?.[unit] ?? 0);
}

/** The lines on a bar. A condition of another base is placed by its votes, and left out beyond the end of the bar. */
function neededOf(checks: Check[], base: Base, whole: number): Needed[] {
  return checks.flatMap((check) => {
    const percent = whole > 0 ? (neededPercent(check) * check.whole) / whole : Number.POSITIVE_INFINITY;
    const of = check.base === base ? '' : ` ${BASES[check.base]}`;
    return percent > 100 ? [] : { percent, label: `${comparisonWords(check)}${of}` };
  });
}

function neededPercent({ numerator, denominator }: Check): number {
  return (numerator / denominator) * 100;
}

/**
 * The fewest digits that tell the truth. Rounded numbers must be on the same side of the needed share as the exact
 * ones, must not look like a tie or unanimous, and must keep the elected and the others apart.
 */
function digitsFor(
  result: SharedResult,
  options: OptionResult[],
  percents: (number | null)[],
  needs: Check[][],
  base: Base,
): number {
  const pairs = decisivePairs(result, options, percents);
  const isTrue = (digits: number) => {
    const round = (percent: number) => Number(percent.toFixed(digits));
    return (
      percents.every((percent) => percent === null || percent >= 100 || round(percent) < 100) &&
      pairs.every(([left, right]) => left === right || round(left) !== round(right)) &&
      percents.every((percent, index) =>
        (needs[index] ?? []).every(
          (check) => percent === null || check.base !== base || isOnItsSide(check, percent, round(percent)),
        ),
      )
    );
  };
  for (let digits = 0; digits < MOST_DIGITS; digits += 1) {
    if (isTrue(digits)) {
      return digits;
    }
  }
  return MOST_DIGITS;
}

/** Shares with a smaller difference are equal: the exact ones have fewer decimals. */
const TINY = 1e-9;

/**
 * Whether a displayed share is on the same side of the need as the exact one. A share that equals the need reaches it, or
 * misses it, as readers see who round the need to two decimals.
 */
function isOnItsSide(check: Check, percent: number, displayed: number): boolean {
  const needed = neededPercent(check);
  if (Math.abs(percent - needed) > TINY) {
    return Math.sign(displayed - needed) === Math.sign(percent - needed);
  }
  const rounded = Math.round(needed * 100) / 100;
  return check.comparison === 'more_than' ? displayed <= rounded : displayed >= rounded;
}

/** The two leading options, and the last elected one with the first of the others. */
function decisivePairs(
  { decision }: SharedResult,
  options: OptionResult[],
  percents: (number | null)[],
): [number, number][] {
  const border = options.filter(({ id }) => decision.elected.includes(id)).length;
  return [1, border].flatMap((index): [number, number][] => {
    const [left, right] = [percents[index - 1], percents[index]];
    return typeof left === 'number' && typeof right === 'number' ? [[left, right]] : [];
  });
}

/** "Percentages are of the yes and no votes. Abstentions do not count." */
export function baseSentence(result: SharedResult): string {
  const leavesOut =
    leavesOutAbstentions(baseOf(result)) && result.options.some(({ role }) => role === 'abstain');
  return `Percentages are ${ofBase(baseOf(result), result)}.${leavesOut ? ' Abstentions do not count.' : ''}`;
}

/** "120" as long as the longest number of its column, so that bars are aligned. */
export function widestVotes(rows: ShareRow[], unit: Unit): number {
  return Math.max(0, ...rows.map(({ shares }) => formatNumber(shares[unit].votes).length));
}
