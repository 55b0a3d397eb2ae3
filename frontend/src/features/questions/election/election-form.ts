import type {
  ElectionMethod,
  ElectionRule,
  ElectionShare,
  RuleList,
} from '../../../shared/elections/election-types';
import { lookDifferent } from '../../../shared/look';
import { type NumberRule, numberOf, numberProblem, wholeNumber } from '../../../shared/number-text';
import {
  fromShare,
  half,
  type ShareFields,
  shareIssues,
  toShare,
  under,
} from '../../../shared/terms/share-form';
import { textLength } from '../../../shared/text-length';
import { initialValue, SETTINGS, type Setting, type SettingName, settingsOf } from './settings';

/** A candidate in a form. The key identifies it, so that removing one keeps the fields of the others. */
export interface CandidateField {
  key: string;
  name: string;
  line: string;
  about: string;
  isWithdrawn: boolean;
}

export interface ListField {
  key: string;
  name: string;
  /** The keys of its candidates, in the order of the list. */
  candidates: string[];
}

export interface ElectionShareFields extends ShareFields {
  isOn: boolean;
  base: ElectionShare['base'];
}

/** An election in a form. Settings of other methods keep their values, in case the method is chosen again. */
export interface ElectionFields {
  candidates: CandidateField[];
  /** The names in the open box for pasting. They become candidates by its button, or when the question is saved. */
  pasted: string;
  method: ElectionMethod;
  /** As typed. Empty elects everybody who meets the conditions. */
  seats: string;
  requirement: ElectionShareFields;
  leastSupport: ElectionShareFields;
  /** As typed or chosen; empty for the server's default. */
  settings: Record<SettingName, string>;
  lists: ListField[];
}

export const MAX_CANDIDATES = 100;
export const LONGEST_NAME = 300;
export const LONGEST_LINE = 120;
export const LONGEST_ABOUT = 1_000;

/** The methods that can elect everybody who meets the conditions. */
const WITHOUT_SEATS: ElectionMethod[] = ['per_candidate', 'approval', 'plurality'];

let keys = 0;

export function newKey(): string {
  keys += 1;
  return `election-${keys}`;
}

export function newCandidate(fields: Partial<CandidateField> = {}): CandidateField {
  return { key: newKey(), name: '', line: '', about: '', isWithdrawn: false, ...fields };
}

export function newElection(): ElectionFields {
  return {
    candidates: [newCandidate(), newCandidate()],
    pasted: '',
    method: 'plurality',
    seats: '1',
    requirement: { ...half, isOn: false, base: 'valid_ballots' },
    leastSupport: { ...half, isOn: false, base: 'valid_ballots', comparison: 'at_least' },
    settings: Object.fromEntries(
      SETTINGS.map((setting) => [setting.name, initialValue(setting)]),
    ) as ElectionFields['settings'],
    lists: [],
  };
}

export function canElectAll(method: ElectionMethod): boolean {
  return WITHOUT_SEATS.includes(method);
}

/** Whether a method knows the required share: for one it is needed, for the other it may be switched on. */
export function requirementOf(method: ElectionMethod): 'needed' | 'possible' | 'none' {
  if (method === 'per_candidate') {
    return 'needed';
  }
  return method === 'plurality' ? 'possible' : 'none';
}

/** The method, and the fields that depend on it. */
export function withMethod(fields: ElectionFields, method: ElectionMethod): ElectionFields {
  const isPerCandidate = method === 'per_candidate';
  const base = isPerCandidate ? 'yes_and_no' : baseWithout(fields.requirement.base);
  return {
    ...fields,
    method,
    seats: fields.seats.trim() === '' && !canElectAll(method) ? '1' : fields.seats,
    requirement: { ...fields.requirement, base },
    leastSupport: { ...fields.leastSupport, base: baseWithout(fields.leastSupport.base) },
  };
}

/** Only votes on each candidate have yes and no. */
function baseWithout(base: ElectionShare['base']): ElectionShare['base'] {
  return base === 'yes_and_no' ? 'valid_ballots' : base;
}

/** The candidates with a name. Their numbers are their places in this list, from 1. */
export function namedCandidates({ candidates }: Pick<ElectionFields, 'candidates'>): CandidateField[] {
  return candidates.filter(({ name }) => name.trim() !== '');
}

export function candidateNames(fields: Pick<ElectionFields, 'candidates'>): string[] {
  return namedCandidates(fields).map(({ name }) => name.trim());
}

/** The rule for the server, with the settings of the method only. */
export function toElection(fields: ElectionFields): ElectionRule {
  const { method, seats, requirement, leastSupport } = fields;
  const isRequired = requirementOf(method);
  return {
    method,
    seats: seats.trim() === '' ? null : numberOf(seats, seatsRule(fields)),
    ...Object.fromEntries(
      settingsOf(fields).flatMap((setting) => {
        const value = settingValue(setting, fields.settings[setting.name]);
        return value === undefined ? [] : [[setting.name, value]];
      }),
    ),
    leastSupport: leastSupport.isOn ? toElectionShare(leastSupport) : null,
    ...(isRequired === 'none'
      ? {}
      : {
          requirement: isRequired === 'needed' || requirement.isOn ? toElectionShare(requirement) : null,
        }),
    ...(method === 'lists' ? { lists: toLists(fields) } : {}),
    candidates: namedCandidates(fields).map(({ line, about, isWithdrawn }) => ({
      line: line.trim() || null,
      about: about.trim() || null,
      isWithdrawn,
    })),
  };
}

function toElectionShare({ base, ...share }: ElectionShareFields): ElectionShare {
  return { base, ...toShare(share) };
}

export function toLists(fields: ElectionFields): RuleList[] {
  const numbers = new Map(namedCandidates(fields).map(({ key }, index) => [key, index + 1]));
  return fields.lists.map(({ name, candidates }) => ({
    name: name.trim(),
    candidates: candidates.flatMap((key) => numbers.get(key) ?? []),
  }));
}

/** The value of a setting; undefined for the server's default. */
function settingValue({ kind, name }: Setting, text: string): unknown {
  const written = text.trim();
  if (written === '') {
    return undefined;
  }
  if (kind.type === 'number') {
    return numberOf(written, kind.rule);
  }
  return kind.type === 'flag' || name === 'allowsEqual' ? written === 'true' : written;
}

/** The fields of a stored rule. */
export function fromElection(rule: ElectionRule, names: string[]): ElectionFields {
  const fields = newElection();
  const candidates = names.map((name, index) => {
    const { line, about, isWithdrawn } = rule.candidates?.[index] ?? {};
    return newCandidate({ name, line: line ?? '', about: about ?? '', isWithdrawn: isWithdrawn ?? false });
  });
  return {
    ...fields,
    candidates,
    method: rule.method,
    seats: rule.seats === null ? '' : String(rule.seats ?? 1),
    requirement: fromElectionShare(rule.requirement, {
      ...fields.requirement,
      base: rule.method === 'per_candidate' ? 'yes_and_no' : 'valid_ballots',
    }),
    leastSupport: fromElectionShare(rule.leastSupport, fields.leastSupport),
    settings: Object.fromEntries(
      SETTINGS.map((setting) => [setting.name, rule[setting.name]?.toString() ?? initialValue(setting)]),
    ) as ElectionFields['settings'],
    lists: (rule.lists ?? []).map((list) => ({
      key: newKey(),
      name: list.name,
      candidates: list.candidates.flatMap((number) => candidates[number - 1]?.key ?? []),
    })),
  };
}

function fromElectionShare(
  share: ElectionShare | null | undefined,
  otherwise: ElectionShareFields,
): ElectionShareFields {
  return share ? { ...fromShare(share), isOn: true, base: share.base } : otherwise;
}

export function seatsRule(fields: Pick<ElectionFields, 'candidates'>): NumberRule {
  const most = Math.max(namedCandidates(fields).length, 1);
  return wholeNumber(most, `Must be a whole number from 1 to ${most}.`);
}

const PATH = 'decisionRule.election';

/** The errors of an election, by the server's paths. */
export function electionIssues(fields: ElectionFields): Record<string, string> {
  const { method, requirement, leastSupport } = fields;
  const isRequired = requirementOf(method);
  const hasRequirement = isRequired === 'needed' || (isRequired === 'possible' && requirement.isOn);
  return {
    ...candidateIssues(fields),
    ...seatIssues(fields),
    ...(hasRequirement ? under(`${PATH}.requirement`, shareIssues(requirement)) : {}),
    ...(leastSupport.isOn ? under(`${PATH}.leastSupport`, shareIssues(leastSupport)) : {}),
    ...settingIssues(fields),
    ...(method === 'lists' ? listIssues(fields) : {}),
  };
}

function candidateIssues({ candidates }: ElectionFields): Record<string, string> {
  const named = namedCandidates({ candidates });
  const names = candidateNames({ candidates });
  if (named.length === 0) {
    return { options: 'Enter at least one candidate.' };
  }
  if (named.length > MAX_CANDIDATES) {
    return { options: `An election has at most ${MAX_CANDIDATES} candidates. These are ${named.length}.` };
  }
  if (!lookDifferent(names)) {
    return { options: 'Two candidates have the same name. Add a word that tells them apart.' };
  }
  if (named.every(({ isWithdrawn }) => isWithdrawn)) {
    return { options: 'All candidates are withdrawn.' };
  }
  return Object.fromEntries(
    named.flatMap(({ name, line, about }, index) => [
      ...lengthIssue(`options.${index}`, name, LONGEST_NAME),
      ...lengthIssue(`${PATH}.candidates.${index}.line`, line, LONGEST_LINE),
      ...lengthIssue(`${PATH}.candidates.${index}.about`, about, LONGEST_ABOUT),
    ]),
  );
}

function lengthIssue(path: string, text: string, most: number): [string, string][] {
  return textLength(text.trim()) > most
    ? [[path, `At most ${most.toLocaleString('en-GB')} characters.`]]
    : [];
}

function seatIssues(fields: ElectionFields): Record<string, string> {
  const rule = seatsRule(fields);
  const isMissing = fields.seats.trim() === '' && !canElectAll(fields.method);
  return isMissing || numberProblem(fields.seats, rule) !== null ? { [`${PATH}.seats`]: rule.wanted } : {};
}

function settingIssues(fields: ElectionFields): Record<string, string> {
  return Object.fromEntries(
    settingsOf(fields).flatMap(({ name, kind }) => {
      const problem = kind.type === 'number' ? numberProblem(fields.settings[name], kind.rule) : null;
      return problem === null ? [] : [[`${PATH}.${name}`, problem]];
    }),
  );
}

function listIssues(fields: ElectionFields): Record<string, string> {
  const lists = toLists(fields);
  if (lists.length === 0) {
    return { [`${PATH}.lists`]: 'Add at least one list.' };
  }
  return Object.fromEntries(
    lists.flatMap(({ name, candidates }, index) => [
      ...(name === '' ? [[`${PATH}.lists.${index}.name`, 'Must not be empty.'] as const] : []),
      ...(candidates.length === 0
        ? [[`${PATH}.lists.${index}.candidates`, 'Put at least one candidate on this list.'] as const]
        : []),
    ]),
  );
}
