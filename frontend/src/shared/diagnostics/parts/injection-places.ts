import type { Caller } from '../run/caller';
import type { Run } from '../run/diagnostic';
import { onlyRowsWith, type Place } from './injecting';
import type { RunningMeetingWithVoters } from './running-meeting';

/** The ids and codes in the addresses. */
export interface InjectionScene extends RunningMeetingWithVoters {
  roundId: string;
  clientCode: string;
}

/** The search of every list that this portal's user can request. */
export function searches({ portal, own }: Run, { organizer, id, roundId }: InjectionScene): Place[] {
  const platform = ['/clients', '/accounts', '/reports/clients'];
  const organization = [
    '/client/end-users',
    '/client/meetings',
    `/client/meetings/${id}/invitations`,
    `/client/meetings/${id}/rounds/${roundId}/register`,
    `/client/meetings/${id}/rounds/${roundId}/answers`,
  ];
  const place = (caller: Caller) => (path: string) => ({
    name: `search of GET ${path}`,
    send: (text: string) => caller.get(`${path}?page=1&pageSize=200&search=${encodeURIComponent(text)}`),
    allowed: [200],
    check: onlyRowsWith,
  });
  return [
    ...(portal === 'SUPER_ADMIN' ? platform.map(place(own)) : []),
    ...organization.map(place(organizer)),
  ];
}

export function parameters({ portal, own }: Run, { organizer }: InjectionScene): Place[] {
  const place = (caller: Caller, path: string) => (name: string) => ({
    name: `${name} of GET ${path}`,
    send: (text: string) => caller.get(`${path}?${name}=${encodeURIComponent(text)}`),
    allowed: [422],
  });
  return [
    ...(portal === 'SUPER_ADMIN' ? ['sort', 'status', 'page'].map(place(own, '/clients')) : []),
    ...['sort', 'status', 'page', 'pageSize'].map(place(organizer, '/client/meetings')),
    ...['sort', 'status', 'page'].map(place(organizer, '/client/end-users')),
  ];
}

/**
 * Only calls that read. If an injected id worked in a call that deletes or changes, it would affect the data of all
 * clients.
 */
export function addresses(
  run: Run,
  { organizer, id, questions, voters, clientCode }: InjectionScene,
): Place[] {
  const place = (caller: Caller, before: string, real: string, after = '') => ({
    name: `id in GET ${before}{id}${after}`,
    // Appended to an existing id, even a text that only ends a statement would find something.
    send: (text: string) => caller.get(`${before}${encodeURIComponent(`${real}${text}`)}${after}`),
    allowed: [404],
  });
  const voter = voters[0]?.caller ?? run.own.as(null);
  const nobody = run.own.as(null);
  const questionId = questions[0]?.id ?? '';
  return [
    ...(run.portal === 'SUPER_ADMIN' ? [place(run.own, '/clients/', '')] : []),
    place(organizer, '/client/meetings/', id),
    place(organizer, '/client/meetings/', id, '/results'),
    place(organizer, '/client/meetings/by-link/', ''),
    place(organizer, '/client/end-users/', voters[0]?.voter.id ?? ''),
    place(organizer, '/client/questions/', questionId),
    place(organizer, '/client/questions/meeting/', id),
    place(organizer, '/sse/meetings/', id, '/state'),
    place(voter, '/voting/meetings/', id),
    place(nobody, '/public/client/', clientCode),
    place(nobody, '/public/meetings/', id, '/presentation'),
    place(nobody, '/meetings/by-link/', ''),
  ];
}
