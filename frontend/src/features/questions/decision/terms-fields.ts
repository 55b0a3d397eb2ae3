import type { QuestionFormValues } from '../question-form';
import type { DecisionFields } from './decision-form';

const SHARE = ['comparison', 'numerator', 'denominator'];
const CONDITION = [...SHARE, 'base', 'units', 'unit'];

/** The parts of the rule that have their own field. */
function ruleFields({ kind, hasSecond }: DecisionFields): string[] {
  switch (kind) {
    case 'none':
      return [];
    case 'own':
      return [
        ...CONDITION.map((field) => `conditions.0.${field}`),
        ...(hasSecond ? CONDITION.map((field) => `conditions.1.${field}`) : []),
        'onTie',
        'tie',
      ];
    case 'each_option':
      return [...CONDITION.map((field) => `condition.${field}`), 'seats'];
    case 'plurality':
      return ['unit', 'units', 'seats'];
    default:
      return ['unit', 'units', 'onTie', 'tie'];
  }
}

function placeOf(path: string, { decision }: Pick<QuestionFormValues, 'decision'>): string {
  if (path === 'optionRoles' || path.startsWith('optionRoles.') || path === 'decisionRule.options') {
    return 'options';
  }
  if (path.startsWith('decisionRule.')) {
    return ruleFields(decision).includes(path.slice('decisionRule.'.length)) ? path : 'decisionRule';
  }
  if (path.startsWith('quorum.')) {
    return [...SHARE, 'unit', 'attendance'].includes(path.slice('quorum.'.length)) ? path : 'quorum';
  }
  return path;
}

/** Moves the server's errors to visible fields: the parts of a preset have none. */
export function placedErrors(
  errors: Record<string, string>,
  values: Pick<QuestionFormValues, 'decision'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors)
      .reverse()
      .map(([path, message]) => [placeOf(path, values), message]),
  );
}

/** The errors of the terms, to check whether an error is shown. */
export function shownTerms(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).filter(([path]) => /^(decisionRule|quorum|optionRoles)\b/.test(path)),
  );
}
