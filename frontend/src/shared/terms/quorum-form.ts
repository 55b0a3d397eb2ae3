import type { MeetingQuorum, Quorum } from '../../api/types';
import { fromShare, half, type ShareFields, shareIssues, toShare, under } from './share-form';

/** A quorum in a form: of a meeting, or of a single question. */
export interface QuorumFields extends ShareFields {
  isOn: boolean;
  unit: Quorum['unit'];
  attendance: Quorum['attendance'];
  /** Only for the quorum of a meeting. */
  atOpening: MeetingQuorum['atOpening'];
}

export const noQuorum: QuorumFields = {
  ...half,
  comparison: 'at_least',
  isOn: false,
  unit: 'heads',
  attendance: 'present',
  atOpening: 'warn',
};

export function fromQuorum(quorum: Quorum | MeetingQuorum | null): QuorumFields {
  if (!quorum) {
    return noQuorum;
  }
  const atOpening = 'atOpening' in quorum ? quorum.atOpening : 'warn';
  return {
    ...fromShare(quorum),
    isOn: true,
    unit: quorum.unit,
    attendance: quorum.attendance,
    atOpening,
  };
}

export function toQuorum(fields: QuorumFields): Quorum | null {
  return fields.isOn ? { ...toShare(fields), unit: fields.unit, attendance: fields.attendance } : null;
}

/** Before the opening there are no votes. So a quorum of votes cannot prevent an opening, and is only a warning. */
export function toMeetingQuorum(fields: QuorumFields): MeetingQuorum | null {
  const quorum = toQuorum(fields);
  return quorum && { ...quorum, atOpening: quorum.attendance === 'voted' ? 'warn' : fields.atOpening };
}

/** The errors of the quorum, by path in the form. */
export function quorumIssues(fields: QuorumFields): Record<string, string> {
  return fields.isOn ? under('quorum', shareIssues(fields)) : {};
}
