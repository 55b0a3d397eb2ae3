import type { ElectionMethod, ElectionRule } from '../../../shared/elections/election-types';
import { type NumberRule, wholeNumber } from '../../../shared/number-text';

/** The parts of the rule that have one plain value each. Candidates, seats, lists and shares have editors of their own. */
export type SettingName = Exclude<
  keyof ElectionRule,
  'method' | 'seats' | 'candidates' | 'lists' | 'leastSupport' | 'requirement'
>;

export type SettingKind =
  | { type: 'choice'; options: { value: string; label: string }[] }
  | { type: 'flag' }
  | { type: 'number'; rule: NumberRule; placeholder: string }
  | { type: 'text'; placeholder: string };

export interface Setting {
  name: SettingName;
  label: string;
  description?: string;
  /** Missing for every method. */
  methods?: ElectionMethod[];
  kind: SettingKind;
}

const RANKINGS: ElectionMethod[] = ['irv', 'stv_scottish', 'schulze', 'borda'];
/** A ballot for a list has no place for "None of the above". */
const WITHOUT_LISTS: ElectionMethod[] = [
  'per_candidate',
  'plurality',
  'cumulative',
  'approval',
  'score',
  ...RANKINGS,
];

const choice = (...options: [value: string, label: string][]): SettingKind => ({
  type: 'choice',
  options: options.map(([value, label]) => ({ value, label })),
});

const count = (placeholder: string, least = 1, most = 1_000): SettingKind => ({
  type: 'number',
  placeholder,
  rule: wholeNumber(most, `Must be a whole number from ${least} to ${most.toLocaleString('en-GB')}.`, least),
});

const usual: [string, string] = ['', 'As usual for this method'];
const RANK_FAULT = choice(
  usual,
  ['pass_over', 'Pass over the mark'],
  ['up_to_there', 'Count the ballot up to there'],
  ['invalid', 'The ballot is invalid'],
);

/** The settings, those of the method first. The first option of a choice is the server's default. */
export const SETTINGS: Setting[] = [
  {
    name: 'yesRanking',
    label: 'If more are accepted than there are seats',
    methods: ['per_candidate'],
    kind: choice(
      ['yes', 'Those with the most yes votes are elected'],
      ['yes_less_no', 'Those with the largest difference between yes and no are elected'],
    ),
  },
  {
    name: 'unanswered',
    label: 'A candidate without an answer on a ballot',
    methods: ['per_candidate'],
    kind: choice(['abstains', 'Counts as an abstention'], ['invalid', 'Makes the ballot invalid']),
  },
  {
    name: 'leastChoices',
    label: 'Minimum choices',
    methods: ['plurality', 'approval'],
    kind: count('1'),
  },
  {
    name: 'mostChoices',
    label: 'Maximum choices',
    description: 'Left empty, as many as there are seats; for approval, any number; for lists, none.',
    methods: ['plurality', 'approval', 'lists'],
    kind: count('As usual for this method', 0),
  },
  {
    name: 'repeatedChoices',
    label: 'A candidate chosen twice',
    methods: ['plurality', 'approval'],
    kind: choice(['counts_once', 'Counts once'], ['invalid', 'Makes the ballot invalid']),
  },
  {
    name: 'votes',
    label: 'Votes of each voter',
    methods: ['cumulative'],
    kind: count('As many as seats'),
  },
  {
    name: 'mostForOne',
    label: 'Maximum votes per candidate',
    methods: ['cumulative'],
    kind: count('All votes'),
  },
  {
    name: 'needsAllVotes',
    label: 'All votes must be given',
    methods: ['cumulative'],
    kind: { type: 'flag' },
  },
  { name: 'points', label: 'Maximum points per candidate', methods: ['score'], kind: count('5') },
  {
    name: 'leastMarked',
    label: 'Minimum candidates with points',
    methods: ['score'],
    kind: count('1'),
  },
  {
    name: 'strength',
    label: 'Strength of a win between two candidates',
    methods: ['schulze'],
    kind: choice(['winning_votes', 'Votes of the winner'], ['margins', 'Margin between the two']),
  },
  {
    name: 'scale',
    label: 'Points of the ranks',
    methods: ['borda'],
    kind: choice(
      ['to_zero', 'Down to 0 for the last of all candidates'],
      ['to_one', 'Down to 1 for the last of all candidates'],
      ['of_ranked', 'Down to 1 for the last ranked one'],
    ),
  },
  {
    name: 'unranked',
    label: 'Candidates that a ballot does not rank',
    methods: ['borda'],
    kind: choice(['nothing', 'Get nothing'], ['mean_of_rest', 'Share the points of the remaining ranks']),
  },
  {
    name: 'allowsEqual',
    label: 'Candidates may share a rank',
    methods: ['schulze', 'borda'],
    kind: choice(usual, ['true', 'Allowed'], ['false', 'Not allowed']),
  },
  {
    name: 'tiesByEarlierStages',
    label: 'Break ties by earlier stages first',
    methods: ['irv'],
    kind: { type: 'flag' },
  },
  { name: 'leastRanks', label: 'Minimum ranked candidates', methods: RANKINGS, kind: count('1') },
  { name: 'mostRanks', label: 'Maximum ranked candidates', methods: RANKINGS, kind: count('All') },
  { name: 'skippedRanks', label: 'A skipped rank', methods: RANKINGS, kind: RANK_FAULT },
  {
    name: 'toleratedGap',
    label: 'Skipped ranks that have no effect',
    methods: RANKINGS,
    kind: count('0', 0),
  },
  { name: 'repeatedRanks', label: 'A candidate ranked twice', methods: RANKINGS, kind: RANK_FAULT },
  {
    name: 'equalRanks',
    label: 'Several candidates in one rank, where that is not allowed',
    methods: RANKINGS,
    kind: RANK_FAULT,
  },
  {
    name: 'tooManyRanks',
    label: 'More ranks than allowed',
    methods: RANKINGS,
    kind: choice(['up_to_there', 'Count the ballot up to there'], ['invalid', 'The ballot is invalid']),
  },
  {
    name: 'divisors',
    label: 'Division of seats',
    methods: ['lists'],
    kind: choice(['sainte_lague', 'Sainte-Laguë (1, 3, 5, …)'], ['d_hondt', 'D’Hondt (1, 2, 3, …)']),
  },
  {
    name: 'listOrder',
    label: 'Order of the persons on a list',
    methods: ['lists'],
    kind: choice(
      ['as_listed', 'As listed'],
      ['by_votes', 'By their own votes'],
      ['by_votes_then_listed', 'By their own votes, then as listed'],
    ),
  },
  {
    name: 'unit',
    label: 'Counted by',
    kind: choice(['heads', 'Heads'], ['weight', 'Voting weight (0 to 100)']),
  },
  {
    name: 'ties',
    label: 'A tie',
    kind: choice(
      ['lot', 'Is decided by lot, drawn by Plenum or by hand'],
      ['drawn_lot', 'Is decided by a lot that Plenum draws'],
      ['lot_by_hand', 'Is decided by a lot drawn by hand'],
      ['run_off', 'Leads to a run-off ballot'],
    ),
  },
  {
    name: 'declined',
    label: 'If an elected person declines',
    kind: choice(['next_moves_up', 'The next one moves up'], ['stays_vacant', 'The seat stays vacant']),
  },
  {
    name: 'abstentions',
    label: 'Abstentions',
    kind: choice(['are_votes_cast', 'Count as votes cast'], ['are_not_votes', 'Do not count as votes']),
  },
  {
    name: 'blank',
    label: 'Blank ballots',
    kind: choice(
      ['invalid', 'Are invalid'],
      ['abstains', 'Count as abstentions'],
      ['valid_for_nobody', 'Are valid and elect nobody'],
    ),
  },
  {
    name: 'noneOfTheAbove',
    label: 'Offer “None of the above”',
    methods: WITHOUT_LISTS,
    kind: { type: 'flag' },
  },
  {
    name: 'order',
    label: 'Order on the ballot',
    kind: choice(
      ['as_entered', 'As entered'],
      ['by_name', 'By name'],
      ['by_lot', 'By lot'],
      ['rotated', 'Rotated: each voter starts at another candidate'],
    ),
  },
  {
    name: 'orderSeed',
    label: 'Seed of the lot',
    description: 'Left empty, the server draws one.',
    kind: { type: 'text', placeholder: 'Drawn by the server' },
  },
];

/** The settings that have a meaning in an election. The seed belongs to the order by lot alone. */
export function settingsOf({ method, settings }: ElectionSettings): Setting[] {
  return SETTINGS.filter(
    ({ name, methods }) =>
      (methods === undefined || methods.includes(method)) &&
      (name !== 'orderSeed' || settings.order === 'by_lot'),
  );
}

interface ElectionSettings {
  method: ElectionMethod;
  /** As typed or chosen. */
  settings: Record<SettingName, string>;
}

/** The value that a form has before the organizer changes it. */
export function initialValue({ kind }: Setting): string {
  switch (kind.type) {
    case 'choice':
      return kind.options[0]?.value ?? '';
    case 'flag':
      return 'false';
    default:
      return '';
  }
}
