import type { MeetingQuorum, PlannedQuorum, Quorum } from '../../api/types';
import { type NumberRule, numberOf, wholeNumber } from '../number-text';
import { fromShare, half, type ShareFields, shareIssues, toShare, under } from './share-form';

/** The required part of the register in a form: a share, or a number of people or units. */
export interface MinimumFields extends ShareFields {
  isNumber: boolean;
  /** As typed. */
  minimum: string;
}

/** A quorum in a form: of a meeting, or of a single question. */
export interface QuorumFields extends MinimumFields {
  isOn: boolean;
  unit: Quorum['unit'];
  attendance: Quorum['attendance'];
  /** Only for the quorum of a meeting. */
  atOpening: MeetingQuorum['atOpening'];
  /** Whether a second call of the meeting has a quorum of its own. */
  hasSecondCall: boolean;
  /** Its part of the register. Unit and attendance are the same. */
  secondCall: MinimumFields;
}

const usualMinimum: MinimumFields = { ...half, comparison: 'at_least', isNumber: false, minimum: '' };

export const noQuorum: QuorumFields = {
  ...usualMinimum,
  isOn: false,
  unit: 'heads',
  attendance: 'present',
  atOpening: 'warn',
  hasSecondCall: false,
  secondCall: { ...usualMinimum, isNumber: true, minimum: '1' },
};

/** The rule for the number: whole for people. */
export function minimumRule(unit: Quorum['unit']): NumberRule {
  const most = Number.MAX_SAFE_INTEGER;
  if (unit === 'heads') {
    return wholeNumber(most, 'Must be a whole number of people, from 1.');
  }
  return { least: 0.000_001, most, decimals: 6, wanted: 'Must be more than 0, with at most 6 decimals.' };
}

function fromMinimum(quorum: Quorum): MinimumFields {
  const { comparison, numerator, denominator, minimum } = quorum;
  if (comparison === undefined || numerator === undefined || denominator === undefined) {
    return { ...usualMinimum, isNumber: true, minimum: String(minimum ?? '') };
  }
  return { ...usualMinimum, ...fromShare({ comparison, numerator, denominator }) };
}

export function fromQuorum(quorum: PlannedQuorum | MeetingQuorum | null): QuorumFields {
  if (!quorum) {
    return noQuorum;
  }
  const { unit, attendance, secondCall } = quorum;
  return {
    ...noQuorum,
    ...fromMinimum(quorum),
    isOn: true,
    unit,
    attendance,
    atOpening: 'atOpening' in quorum ? quorum.atOpening : 'warn',
    hasSecondCall: secondCall !== undefined,
    secondCall: secondCall ? fromMinimum(secondCall) : noQuorum.secondCall,
  };
}

function toMinimum(fields: MinimumFields, unit: Quorum['unit']): Pick<Quorum, 'minimum' | 'comparison'> {
  return fields.isNumber ? { minimum: numberOf(fields.minimum, minimumRule(unit)) } : toShare(fields);
}

export function toQuorum(fields: QuorumFields): PlannedQuorum | null {
  if (!fields.isOn) {
    return null;
  }
  const { unit, attendance, hasSecondCall, secondCall } = fields;
  const counted = { unit, attendance };
  return {
    ...toMinimum(fields, unit),
    ...counted,
    ...(hasSecondCall ? { secondCall: { ...toMinimum(secondCall, unit), ...counted } } : {}),
  };
}

/** Before the opening there are no votes. So a quorum of votes cannot prevent an opening, and is only a warning. */
export function toMeetingQuorum(fields: QuorumFields): MeetingQuorum | null {
  const quorum = toQuorum(fields);
  return quorum && { ...quorum, atOpening: quorum.attendance === 'voted' ? 'warn' : fields.atOpening };
}

function minimumIssues(fields: MinimumFields, unit: Quorum['unit']): Record<string, string> {
  if (!fields.isNumber) {
    return shareIssues(fields);
  }
  const rule = minimumRule(unit);
  return Number.isNaN(numberOf(fields.minimum, rule)) ? { minimum: rule.wanted } : {};
}

/** The errors of the quorum, by path in the form. */
export function quorumIssues(fields: QuorumFields): Record<string, string> {
  if (!fields.isOn) {
    return {};
  }
  return under('quorum', {
    ...minimumIssues(fields, fields.unit),
    ...(fields.hasSecondCall ? under('secondCall', minimumIssues(fields.secondCall, fields.unit)) : {}),
  });
}
