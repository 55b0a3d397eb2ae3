/** The labels of all kinds of entries in the API; see docs/api.md. */
const LABELS: Record<string, string> = {
  account_changed: 'Account changed',
  account_created: 'Account created',
  account_deleted: 'Account deleted',
  answers_curated: 'Answers curated for the presentation',
  archive_imported: 'Archive imported',
  archive_removed: 'Archive removed',
  audit_log_exported: 'Audit log exported',
  ballot_issued: 'Ballot given at a voting place',
  client_changed: 'Organization changed',
  client_created: 'Organization created',
  client_deleted: 'Organization deleted',
  credentials_exported: 'Credentials exported',
  desk_made: 'Desk made',
  desk_revoked: 'Desk revoked',
  end_user_changed: 'End user changed',
  end_user_created: 'End user created',
  end_user_deleted: 'End user deleted',
  end_user_erased: 'Personal data erased',
  end_users_exported: 'End users exported',
  evidence_purged: 'Old evidence purged',
  group_created: 'Group created',
  group_deleted: 'Group deleted',
  group_members_changed: 'Members of a group changed',
  group_renamed: 'Group renamed',
  invitation_ordered: 'Invitation ordered',
  join_link_made: 'Personal link made',
  join_link_revoked: 'Personal link revoked',
  join_link_used: 'Personal link used',
  meeting_amended: 'Closed meeting amended',
  meeting_audience_changed: 'Groups of a meeting changed',
  meeting_changed: 'Meeting changed',
  meeting_closed: 'Closing record written',
  meeting_created: 'Meeting created',
  meeting_deleted: 'Meeting deleted',
  meeting_ended: 'Meeting ended',
  meeting_started: 'Meeting started',
  paper_batch_confirmed: 'Ballots on paper confirmed',
  paper_batch_discarded: 'Ballots on paper discarded',
  paper_batch_entered: 'Ballots on paper entered',
  participant_added: 'Participant added',
  participant_removed: 'Participant removed',
  password_reset_asked: 'Password reset requested',
  presence_noted: 'Checked in or out by hand',
  proxies_exported: 'Proxies exported',
  proxy_granted: 'Proxy granted',
  proxy_revoked: 'Proxy revoked',
  proxy_settings_changed: 'Proxy settings changed',
  question_audience_changed: 'Groups of a question changed',
  question_changed: 'Question changed',
  question_created: 'Question created',
  question_deleted: 'Question deleted',
  remark_removed: 'Remark removed',
  remark_struck: 'Remark struck through',
  remark_written: 'Remark written',
  reports_exported: 'Reports exported',
  result_counted: 'Result first seen',
  result_declared: 'Result declared',
  results_exported: 'Results exported',
  round_changed: 'Round changed',
  round_deleted: 'Round deleted',
  round_ended: 'Voting ended',
  round_opened: 'Voting opened',
  round_reopened: 'Voting reopened',
  seat_answered: 'Answer of an elected person noted',
  session_ended: 'Session ended',
  sign_in_failed: 'Sign-in failed',
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  urn_changed: 'Urn of a secret vote changed',
  urn_key_destroyed: 'Key of a secret vote destroyed',
  urn_key_lost: 'Key of a secret vote lost',
  urn_key_made: 'Key of a secret vote made',
  urn_opened: 'Urn of a secret vote opened',
  voter_admitted: 'Voter admitted',
  voter_excluded: 'Voter excluded',
  voter_password_set: 'Voter’s password set during a vote',
  voter_readmitted: 'Exclusion lifted',
  votes_discarded: 'Votes taken back',
  weight_kind_changed: 'Kind of weight changed',
  weight_kind_created: 'Kind of weight created',
  weight_kind_deleted: 'Kind of weight deleted',
};

/** The label of a kind of entry. A kind that only a newer server knows is shown as its identifier, in words. */
export function kindLabel(kind: string): string {
  return LABELS[kind] ?? inWords(kind);
}

/** Fields whose names in the API do not say enough. */
const FIELDS: Record<string, string> = {
  counted: 'Votes counted',
  desk_purpose: 'Purpose',
  paper_ballots: 'Ballots',
  paper_batch: 'Batch',
  paper_question: 'Question',
  password_hash: 'Password',
  second_weight_kind: 'Second weight',
  weight_kind: 'Weight',
};

const OF_KIND = 'weight: ';

/** The label of a changed field. */
export function fieldLabel(field: string): string {
  // "weight: Floor area" is the value of a kind, whose name stays as people wrote it.
  return (
    FIELDS[field] ?? (field.startsWith(OF_KIND) ? `Weight: ${field.slice(OF_KIND.length)}` : inWords(field))
  );
}

const VALUES: Record<string, string> = { VOTING_PLACE: 'Voting place', TELLERS: 'Tellers' };

/** A value for display. Most are texts that people wrote. */
export function valueLabel(field: string, value: string): string {
  return field === 'desk_purpose' ? (VALUES[value] ?? value) : value;
}

/** "is_active": "Is active" */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The kinds to choose from, by label. */
export const kindOptions = Object.entries(LABELS)
  .map(([value, label]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label));

export function isKind(text: string | null): text is string {
  return text !== null && Object.hasOwn(LABELS, text);
}
