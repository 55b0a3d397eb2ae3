import { formatTime } from '../../shared/format';
import type { Attendee, DeskEntryResult, PresenceEntry, PresenceKind } from './desk-api';

/** A check-in or check-out that the server has not confirmed yet. */
export interface Waiting {
  id: string;
  endUserId: string;
  name: string;
  kind: PresenceKind;
  /** The time at which it happened, by the server's clock. */
  at: string;
  /** The time of the last response before it, by the server's clock. Null if there was none. */
  contactAt: string | null;
}

/** A person, with the number of the last entry that this device knows of them. */
export interface DeskPerson extends Attendee {
  lastNumber: number;
}

export type People = ReadonlyMap<string, DeskPerson>;

export function personOf(attendee: Attendee): DeskPerson {
  // A list that an older version kept on the device has neither groups nor proxies, and only people who may vote.
  const { mayVote = true, groups = [], proxies = 0, holders = [] } = attendee as Partial<Attendee>;
  return { ...attendee, mayVote, groups, proxies, holders, lastNumber: attendee.present?.number ?? 0 };
}

/** The people after an entry of any desk. An entry that is older than the known one changes nothing. */
export function withEntry(people: People, entry: PresenceEntry): People {
  const person = people.get(entry.endUserId);
  if (!person || entry.number <= person.lastNumber) {
    return people;
  }
  const { at, notedAt, by, number } = entry;
  const present = entry.kind === 'IN' ? { at, notedAt, by, number } : null;
  return new Map(people).set(person.id, { ...person, present, lastNumber: entry.number });
}

/** A part of the server's list: the people after an id, in the order of ids. */
interface ListPart {
  after: string | null;
  data: readonly Attendee[];
  /** The last id of the part. Null if it is the last part. */
  next: string | null;
}

/**
 * The people with the names, weights, groups and proxies of a part of the list, which may have changed. Who is in is known
 * from entries. Whoever may no longer vote is taken off, unless they are in: they can still be checked out. The same object
 * if nothing changed.
 */
export function withPart(
  people: People,
  { after, data, next }: ListPart,
  waiting: readonly Waiting[],
): People {
  const changed = new Map(people);
  let isChanged = false;
  const listed = new Set(data.map(({ id }) => id));
  for (const person of people.values()) {
    const isOfPart = (after === null || person.id > after) && (next === null || person.id <= next);
    if (isOfPart && !listed.has(person.id) && inSince(person, waiting) === null) {
      changed.delete(person.id);
      isChanged = true;
    }
  }
  for (const attendee of data) {
    const read = personOf(attendee);
    const known = people.get(attendee.id);
    const { present, lastNumber } = known && known.lastNumber >= read.lastNumber ? known : read;
    const person = { ...read, present, lastNumber };
    isChanged ||= JSON.stringify(person) !== JSON.stringify(known);
    changed.set(attendee.id, person);
  }
  return isChanged ? changed : people;
}

/** Since when a person is in. */
export interface InSince {
  at: string;
  /** Null while the server does not know it. */
  by: string | null;
}

/** Since when the person is in, as this device knows it: entries that wait to be sent count. Null if they are not in. */
export function inSince(person: DeskPerson, waiting: readonly Waiting[]): InSince | null {
  const last = waiting.filter(({ endUserId }) => endUserId === person.id).at(-1);
  if (last) {
    return last.kind === 'IN' ? { at: last.at, by: null } : null;
  }
  return person.present;
}

/** "since 17:04, Desk 2" */
export function sinceWords({ at, by }: InSince): string {
  return `since ${formatTime(at)}, ${by ?? 'not sent yet'}`;
}

const MOST_FOUND = 8;

/** The people whose name, username and groups contain all words of the search. Names that begin with it come first. */
export function found(people: People, search: string): DeskPerson[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return [];
  }
  const text = (person: DeskPerson) => folded([person.name, person.username, ...person.groups].join(' '));
  const rank = (person: DeskPerson) => {
    const first = words[0] ?? '';
    const isExact = folded(person.username) === folded(search).trim();
    return isExact ? 0 : folded(person.name).startsWith(first) ? 1 : 2;
  };
  const fitting = [...people.values()].filter((person) => {
    const content = text(person);
    return words.every((word) => content.includes(word));
  });
  fitting.sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
  return fitting.slice(0, MOST_FOUND);
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

const CODE = /^PLENUM-IN:([0-9A-F]{8})([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{12})$/i;

/** The id of the person in a check-in code; null for any other text, such as the link of a sign-in. */
export function personInCode(text: string): string | null {
  const parts = CODE.exec(text.trim());
  return parts ? parts.slice(1).join('-').toLowerCase() : null;
}

/** What the server says about an entry that changed nothing. Null for one that was stored. */
export function conflictOf(result: DeskEntryResult, waiting: Waiting): string | null {
  if (result.refusal) {
    return `${waiting.name}: ${result.refusal.error}.`.replace('..', '.');
  }
  const entry = result.answer?.entry;
  switch (result.answer?.outcome) {
    case 'ALREADY_IN':
      return entry ? `${waiting.name} was checked in ${whereAndWhen(entry)} as well.` : null;
    case 'ALREADY_OUT':
      return entry
        ? `${waiting.name} was checked out ${whereAndWhen(entry)} as well.`
        : `${waiting.name} was not checked in, so there was nothing to check out.`;
    case 'OVERTAKEN':
      return entry
        ? `${waiting.name} was checked ${entry.kind === 'IN' ? 'in' : 'out'} ${whereAndWhen(entry)}, later than here. That stays.`
        : null;
    default:
      return null;
  }
}

function whereAndWhen({ by, at, role }: PresenceEntry): string {
  const where = role === 'DESK' ? `at ${by}` : role === 'PERSON' ? 'by themselves' : `by ${by}`;
  return `${where} at ${formatTime(at)}`;
}
