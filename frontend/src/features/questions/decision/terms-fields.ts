import { settingsOf } from '../election/settings';
import type { QuestionFormValues } from '../question-form';
import type { DecisionFields } from './decision-form';

const SHARE = ['comparison', 'numerator', 'denominator'];
const CONDITION = [...SHARE, 'base', 'units', 'unit', 'blockingMinority', 'joined'];

/** The parts of the rule that have their own field. */
function ruleFields({ kind, further }: DecisionFields): string[] {
  switch (kind) {
    case 'none':
      return [];
    case 'own':
      return [
        ...Array.from({ length: further.length + 1 }, (_, place) =>
          CONDITION.map((field) => `conditions.${place}.${field}`),
        ).flat(),
        'onTie',
        'tie',
        'inEach',
      ];
    case 'each_option':
      return [...CONDITION.map((field) => `condition.${field}`), 'seats'];
    case 'plurality':
      return ['unit', 'units', 'seats'];
    default:
      return ['unit', 'units', 'onTie', 'tie', 'inEach'];
  }
}

type PlacedValues = Pick<QuestionFormValues, 'questionType' | 'decision' | 'election'>;

/** The place of an error of an election: its field, otherwise the candidates or the election as a whole. */
function electionPlaceOf(path: string, { election }: PlacedValues): string {
  if (/^(options\.\d+|decisionRule\.election\.candidates\.\d+\.(line|about))$/.test(path)) {
    return path;
  }
  if (/^(options|decisionRule\.options|decisionRule\.election\.candidates)\b/.test(path)) {
    return 'options';
  }
  const field = path.slice('decisionRule.election.'.length);
  const share = /^(requirement|leastSupport)\.(base|comparison|numerator|denominator)$/;
  const own = ['method', 'seats', 'lists', ...settingsOf(election).map(({ name }) => name)];
  const isShown =
    own.some((name) => name === field) || share.test(field) || /^lists\.\d+\.(name|candidates)$/.test(field);
  return path.startsWith('decisionRule.election.') && isShown ? path : 'decisionRule.election';
}

function placeOf(path: string, values: PlacedValues): string {
  if (values.questionType === 'ELECTION' && /^(decisionRule|options)\b/.test(path)) {
    return electionPlaceOf(path, values);
  }
  if (path === 'optionRoles' || path.startsWith('optionRoles.') || path === 'decisionRule.options') {
    return 'options';
  }
  if (path.startsWith('decisionRule.')) {
    return ruleFields(values.decision).includes(path.slice('decisionRule.'.length)) ? path : 'decisionRule';
  }
  if (path.startsWith('quorum.')) {
    return [...SHARE, 'unit', 'attendance'].includes(path.slice('quorum.'.length)) ? path : 'quorum';
  }
  return path;
}

/** Moves the server's errors to visible fields: the parts of a preset have none. */
export function placedErrors(errors: Record<string, string>, values: PlacedValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors)
      .reverse()
      .map(([path, message]) => [placeOf(path, values), message]),
  );
}

/** The errors of the terms, to check whether an error is shown. */
export function shownTerms(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).filter(([path]) => /^(decisionRule|quorum|optionRoles|options)\b/.test(path)),
  );
}
