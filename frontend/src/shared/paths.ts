import { basePath, publicOrigin } from '../api/base-path';

/** Every address of the app. No screen writes one by hand. */
export const paths = {
  home: '/',
  adminLogin: '/admin/login',
  admin: '/admin',
  adminClients: '/admin/clients',
  /** The list of clients, narrowed to the one with this code; with its id, its form opens. */
  adminClient: (clientCode: string, editedId?: string) =>
    `/admin/clients?search=${encodeURIComponent(clientCode)}${editedId ? `&edit=${encodeURIComponent(editedId)}` : ''}`,
  adminUsers: '/admin/users',
  adminReports: '/admin/reports',
  adminTests: '/admin/tests',
  adminAudit: '/admin/audit',
  adminAccount: '/admin/account',
  clientLogin: '/client/login',
  client: '/client',
  /** The dashboard with the form of a quick vote. */
  quickVote: '/client?quick-vote=1',
  clientEndUsers: '/client/end-users',
  /** The list of end users with the form of one of them. */
  clientEndUser: (endUserId: string) => `/client/end-users?edit=${encodeURIComponent(endUserId)}`,
  endUserImport: '/client/end-users/import',
  clientGroups: '/client/groups',
  clientWeightKinds: '/client/weight-kinds',
  /** The list of end users, narrowed to the members of a group. */
  clientGroupMembers: (groupId: string) => `/client/end-users?group=${encodeURIComponent(groupId)}`,
  clientMeetings: '/client/meetings',
  /** The questions of a meeting; with the id of one of them, its form opens. */
  meetingQuestions: (meetingId: string, editedId?: string) =>
    `/client/meetings/${encodeURIComponent(meetingId)}/questions${editedId ? `?edit=${encodeURIComponent(editedId)}` : ''}`,
  meetingControl: (meetingId: string) => `/client/meetings/${encodeURIComponent(meetingId)}/control`,
  clientMeetingResults: (meetingId: string) => `/client/meetings/${encodeURIComponent(meetingId)}/results`,
  meetingReadiness: (meetingId: string) => `/client/meetings/${encodeURIComponent(meetingId)}/readiness`,
  clientTests: '/client/tests',
  clientAudit: '/client/audit',
  clientAccount: '/client/account',
  clientBranding: '/client/branding',
  forgottenPassword: '/forgotten-password',
  /**
   * The public check of files, or of records by their hashes. The hashes are in the fragment, which the browser does
   * not send.
   */
  verify: (recordHash?: string) => (recordHash ? `/verify#R=${recordHash.toUpperCase()}` : '/verify'),
  /** "Secret from whom": the levels of secrecy of a vote. */
  secrecy: '/secrecy',
  participant: '/participant',
  participantLogin: (clientCode?: string) =>
    clientCode ? `/participant/login/${encodeURIComponent(clientCode)}` : '/participant/login',
  invitation: (linkToken: string) => `/vote/${encodeURIComponent(linkToken)}`,
  /** The page of a personal link. The token is in the fragment, which the browser does not send. */
  join: (token: string) => `/join#${token}`,
  /** The check-in desk of a helper. The token is in the fragment, which the browser does not send. */
  desk: (token: string) => `/desk#${token}`,
  voting: '/voting',
  votingAccount: '/voting/account',
  votingMeeting: (meetingId: string) => `/voting/meeting/${encodeURIComponent(meetingId)}`,
  presentation: (meetingId: string) => `/presentation/meeting/${encodeURIComponent(meetingId)}`,
};

/** The public URL of a path, for links that are copied, printed or opened in a window. */
export function publicUrl(path: string): string {
  return `${publicOrigin}${basePath}${path}`;
}
