import { answerTexts, areSound, type BallotQuestion, toAnswers } from '../../../shared/ballot/ballot';

/** The holder's own ballot in a list of ballots. */
export const SELF = 'self';

/** A person for whom a ballot can be cast. */
export interface Voter {
  /** `self`, or the id of the principal. */
  id: string;
  name: string;
  weight: number;
  note: string | null;
}

/** Some people for whom the holder answers differently. */
export interface Group {
  answers: string[];
  people: ReadonlySet<string>;
}

/** The answers of a holder: for everybody, except for those in the groups. */
export interface Plan {
  answers: string[];
  groups: Group[];
}

export const EMPTY_PLAN: Plan = { answers: [], groups: [] };

/** The people who get the answers for everybody. */
export function everybodyElse(plan: Plan, voters: Voter[]): Voter[] {
  return voters.filter(({ id }) => !plan.groups.some(({ people }) => people.has(id)));
}

/** Puts a person into a group, or takes them out of it. A person is in one group at most. */
export function toggled(plan: Plan, index: number, id: string): Plan {
  const isIn = plan.groups[index]?.people.has(id) === true;
  return {
    ...plan,
    groups: plan.groups.map((group, place) => {
      const people = new Set(group.people);
      people.delete(id);
      if (place === index && !isIn) {
        people.add(id);
      }
      return { ...group, people };
    }),
  };
}

export function withGroupAnswers(plan: Plan, index: number, answers: string[]): Plan {
  return {
    ...plan,
    groups: plan.groups.map((group, place) => (place === index ? { ...group, answers } : group)),
  };
}

export function withGroup(plan: Plan): Plan {
  return { ...plan, groups: [...plan.groups, { answers: [], people: new Set() }] };
}

export function withoutGroup(plan: Plan, index: number): Plan {
  return { ...plan, groups: plan.groups.filter((_, place) => place !== index) };
}

/** One answer with the people who get it. */
export interface Share {
  answers: string[];
  voters: Voter[];
}

/** The answers with their people, without those of nobody. */
export function sharesOf(plan: Plan, voters: Voter[]): Share[] {
  const groups = plan.groups.map(({ answers, people }) => ({
    answers,
    voters: voters.filter(({ id }) => people.has(id)),
  }));
  return [...groups, { answers: plan.answers, voters: everybodyElse(plan, voters) }].filter(
    (share) => share.voters.length > 0,
  );
}

/** Whether each person has an answer that the server can accept. */
export function isComplete(question: BallotQuestion, plan: Plan, voters: Voter[]): boolean {
  const shares = sharesOf(plan, voters);
  return (
    shares.length > 0 &&
    shares.every(
      ({ answers }) => areSound(question, answers) && answers.some((answer) => answer.trim() !== ''),
    )
  );
}

/** "25 votes: 9 Yes, 16 No" */
export function summary(question: BallotQuestion, shares: Share[]): string {
  const total = shares.reduce((sum, { voters }) => sum + voters.length, 0);
  const parts = shares
    .filter(({ answers }) => answers.length > 0)
    .map(({ answers, voters }) => `${voters.length} ${answerTexts(question, answers).join(' + ')}`);
  return [votes(total), parts.join(', ')].filter((part) => part !== '').join(': ');
}

/** "You vote for yourself and 24 others: 25 votes" */
export function forWhom(voters: Voter[]): string {
  const others = voters.filter(({ id }) => id !== SELF).length;
  const people = others === 1 ? '1 other' : `${others} others`;
  if (others === voters.length) {
    const only = others === 1 ? (voters[0]?.name ?? people) : `${others} others`;
    return `You vote for ${only}: ${votes(voters.length)}`;
  }
  return `You vote for yourself and ${people}: ${votes(voters.length)}`;
}

export function votes(count: number): string {
  return count === 1 ? '1 vote' : `${count} votes`;
}

/** The answers for each person, as they are sent. */
export function answersByPerson(question: BallotQuestion, shares: Share[]): Map<string, string[]> {
  return new Map(
    shares.flatMap(({ answers, voters }) => {
      const sent = toAnswers(question.type, answers);
      return voters.map(({ id }): [string, string[]] => [id, sent]);
    }),
  );
}
