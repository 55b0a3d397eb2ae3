import type { MeetingQuorum, Quorum } from '../../api/types';
import { fromShare, half, type ShareFields, shareIssues, toShare, under } from './share-form';

/** A quorum as it is edited: a meeting's, or a question's own. */
export interface QuorumFields extends ShareFields {
  isOn: boolean;
  unit: Quorum['unit'];
  attendance: Quorum['attendance'];
  /** The meeting's alone. */
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

/** Nobody has voted before the opening: then there is nothing to wait for. */
export function toMeetingQuorum(fields: QuorumFields): MeetingQuorum | null {
  const quorum = toQuorum(fields);
  return quorum && { ...quorum, atOpening: quorum.attendance === 'voted' ? 'warn' : fields.atOpening };
}

/** What is wrong with it, by place in the form. */
export function quorumIssues(fields: QuorumFields): Record<string, string> {
  return fields.isOn ? under('quorum', shareIssues(fields)) : {};
}
