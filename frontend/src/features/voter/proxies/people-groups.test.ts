import { describe, expect, it } from 'vitest';
import { liveQuestion } from '../../../test/live-samples';
import {
  answersByPerson,
  EMPTY_PLAN,
  forWhom,
  isComplete,
  type Plan,
  SELF,
  sharesOf,
  summary,
  toggled,
  type Voter,
  withGroup,
  withGroupAnswers,
} from './people-groups';

const question = liveQuestion({ type: 'SINGLE_CHOICE', options: ['Yes', 'No'] });

function voters(others: number): Voter[] {
  const people = Array.from({ length: others }, (_, index) => ({
    id: `p${index}`,
    name: `Person ${index}`,
    weight: 1,
    note: null,
  }));
  return [{ id: SELF, name: 'You', weight: 1, note: null }, ...people];
}

function split(answers: string[], different: string[], people: string[]): Plan {
  const plan = withGroupAnswers(withGroup({ ...EMPTY_PLAN, answers }), 0, different);
  return people.reduce((next, id) => toggled(next, 0, id), plan);
}

describe('the plan of a holder', () => {
  it('says for whom the ballot is', () => {
    expect(forWhom(voters(24))).toBe('You vote for yourself and 24 others: 25 votes');
    expect(forWhom(voters(1))).toBe('You vote for yourself and 1 other: 2 votes');
    expect(forWhom(voters(1).slice(1))).toBe('You vote for Person 0: 1 vote');
    expect(forWhom(voters(2).slice(1))).toBe('You vote for 2 others: 2 votes');
  });

  it('counts who gets which answer, each person once', () => {
    const plan = split(['No'], ['Yes'], ['self', 'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']);
    const shares = sharesOf(plan, voters(24));
    expect(summary(question, shares)).toBe('25 votes: 9 Yes, 16 No');
    const answers = answersByPerson(question, shares);
    expect(answers.size).toBe(25);
    expect(answers.get('p7')).toEqual(['Yes']);
    expect(answers.get('p8')).toEqual(['No']);
  });

  it('moves a person between groups, and back to everybody else', () => {
    let plan = withGroup(split(['No'], ['Yes'], ['p0']));
    plan = toggled(plan, 1, 'p0');
    expect(plan.groups.map(({ people }) => people.has('p0'))).toEqual([false, true]);
    plan = toggled(plan, 1, 'p0');
    expect(plan.groups.map(({ people }) => people.has('p0'))).toEqual([false, false]);
  });

  it('is complete when each person has an answer', () => {
    const all = voters(2);
    expect(isComplete(question, EMPTY_PLAN, all)).toBe(false);
    expect(isComplete(question, { ...EMPTY_PLAN, answers: ['Yes'] }, all)).toBe(true);
    expect(isComplete(question, split(['Yes'], [], ['p0']), all)).toBe(false);
    expect(isComplete(question, split(['Yes'], [], []), all)).toBe(true);
    expect(isComplete(question, split([], ['Yes'], ['self', 'p0', 'p1']), all)).toBe(true);
    expect(isComplete(question, { ...EMPTY_PLAN, answers: ['Yes'] }, [])).toBe(false);
  });
});
