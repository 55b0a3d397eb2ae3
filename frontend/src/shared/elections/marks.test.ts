import { describe, expect, it } from 'vitest';
import { ballotCandidate, electionPaper, rankingPaper } from '../../test/election-samples';
import { hashOf, orderedCandidates } from './ballot-order';
import { markTexts, readChoices, readList, readPoints, readRanks, readReplies } from './marks';
import { marksLeft, marksProblem } from './marks-limits';
import { writeChoices, writeList, writePoints, writeRanks, writeReplies } from './marks-writing';

describe('the notation of a ballot', () => {
  it('is read as it was written, for each kind of marks', () => {
    expect(writeChoices([3, 1])).toEqual(['3', '1']);
    expect(readChoices(['3', '1'])).toEqual([3, 1]);

    expect(
      writeReplies(
        new Map([
          [3, 'yes'],
          [12, 'abstain'],
        ]),
      ),
    ).toEqual(['3=yes', '12=abstain']);
    expect(readReplies(['3=yes', '12=abstain'])).toEqual(
      new Map([
        [3, 'yes'],
        [12, 'abstain'],
      ]),
    );

    expect(
      writePoints(
        new Map([
          [3, 2],
          [4, 0],
        ]),
      ),
    ).toEqual(['3=2', '4=0']);
    expect(readPoints(['3=2', '4=0'])).toEqual(
      new Map([
        [3, 2],
        [4, 0],
      ]),
    );

    expect(writeRanks([[3], [1, 5], [2]])).toEqual(['1:3', '2:1', '2:5', '3:2']);
    expect(readRanks(['1:3', '2:1', '2:5', '3:2'])).toEqual([[3], [1, 5], [2]]);

    expect(writeList(2, [5])).toEqual(['list=2', '5']);
    expect(readList(['list=2', '5'])).toBe(2);
    expect(readChoices(['list=2', '5'])).toEqual([5]);
  });

  it('has no marks on an abstention, a blank ballot, or in another notation', () => {
    for (const answers of [['abstain'], ['blank'], ['Yes'], ['3=maybe'], ['x:1']]) {
      expect(readChoices(answers)).toEqual([]);
      expect(readReplies(answers).size).toBe(0);
      expect(readPoints(answers).size).toBe(0);
      expect(readRanks(answers)).toEqual([]);
      expect(readList(answers)).toBeNull();
    }
  });
});

describe('the words of a ballot', () => {
  it.each([
    [electionPaper(), ['1', '3'], ['Nadia Brandt', 'Imani Okoye']],
    [electionPaper({ noneOfTheAbove: 5 }), ['5'], ['None of the above']],
    [electionPaper({ marks: 'answers' }), ['1=yes', '2=no'], ['Nadia Brandt: yes', 'Tomas Weller: no']],
    [
      electionPaper({ marks: 'points', votes: 5 }),
      ['1=2', '2=1'],
      ['Nadia Brandt: 2 votes', 'Tomas Weller: 1 vote'],
    ],
    [rankingPaper(4), ['1:2', '2:1'], ['1. Tomas Weller', '2. Nadia Brandt']],
    [
      electionPaper({ marks: 'list', lists: [{ number: 1, name: 'Greens', candidates: [1, 2] }] }),
      ['list=1', '2'],
      ['List: Greens', 'Tomas Weller'],
    ],
    [electionPaper(), ['abstain'], ['Abstain']],
    [electionPaper(), ['blank'], ['Blank']],
  ])('are those of the server (%#)', (election, answers, texts) => {
    expect(markTexts(election, answers)).toEqual(texts);
  });
});

describe('the limits of a ballot', () => {
  it('need enough marks, and not too many', () => {
    const exactlyTwo = electionPaper({ least: 2, most: 2 });
    expect(marksProblem(exactlyTwo, ['1'])).toBe('Choose at least 2 candidates. You have chosen 1.');
    expect(marksProblem(exactlyTwo, ['1', '2'])).toBeNull();
    expect(marksProblem(exactlyTwo, ['1', '2', '3'])).toBe('Mark at most 2 candidates. You have marked 3.');
  });

  it('do not concern an abstention, a blank ballot, and none of the above', () => {
    const paper = electionPaper({ least: 2, noneOfTheAbove: 5 });
    expect(marksProblem(paper, ['abstain'])).toBeNull();
    expect(marksProblem(paper, ['blank'])).toBeNull();
    expect(marksProblem(paper, ['5'])).toBeNull();
  });

  it('count the votes of a cumulative ballot, not its candidates', () => {
    const paper = electionPaper({ marks: 'points', votes: 3, least: 3, most: null });
    expect(marksProblem(paper, ['1=2'])).toBe('Give at least 3 votes. You have given 2.');
    expect(marksProblem(paper, ['1=3'])).toBeNull();
    expect(marksProblem(paper, ['1=3', '2=1'])).toBe('You have 3 votes. Take 1 away.');
  });

  it('do not count 0 points', () => {
    const paper = electionPaper({ method: 'score', marks: 'points', least: 2, most: null });
    expect(marksProblem(paper, ['1=5', '2=0'])).toBe(
      'Give points to at least 2 candidates. You have marked 1.',
    );
    expect(marksProblem(paper, ['1=5', '2=1'])).toBeNull();
  });

  it('can need an answer for each candidate', () => {
    const paper = electionPaper({ marks: 'answers', least: 4, most: null });
    expect(marksProblem(paper, ['1=yes'])).toBe('Answer for each candidate. You have answered 1.');
    const withNone = electionPaper({ marks: 'answers', least: 4, most: null, noneOfTheAbove: 5 });
    const three = ['1=yes', '2=no', '3=no'];
    expect(marksProblem(withNone, [...three, '5=yes'])).toBe(
      'Answer for each candidate. You have answered 3.',
    );
    expect(marksProblem(withNone, [...three, '4=no'])).toBeNull();
  });
});

describe('the marks that are left', () => {
  it.each([
    ['answers', electionPaper({ marks: 'answers', most: null }), ['1=yes'], 3],
    ['choices', electionPaper({ most: 2 }), ['1'], 1],
    ['ranks', rankingPaper(3), ['1:2'], 2],
    ['votes of a sum', electionPaper({ marks: 'points', votes: 5, most: null }), ['1=3'], 2],
    ['none in an approval', electionPaper({ method: 'approval', most: null }), ['1'], 0],
    ['none beside an abstention', electionPaper(), ['abstain'], 0],
    ['none beside none of the above', electionPaper({ noneOfTheAbove: 5 }), ['5'], 0],
  ] as const)('are %s', (_, election, answers, left) => {
    expect(marksLeft(election, [...answers])).toBe(left);
  });
});

describe('the order of the candidates', () => {
  const numbers = (election: ReturnType<typeof electionPaper>, key: string) =>
    orderedCandidates(election, key).map(({ number }) => number);

  it('is that of the ballot, with none of the above at the end', () => {
    expect(numbers(electionPaper({ ballotOrder: [3, 1, 5, 4, 2], noneOfTheAbove: 5 }), 'x')).toEqual([
      3, 1, 4, 2, 5,
    ]);
  });

  it('starts at a place of each voter where it is rotated, and each time at the same', () => {
    const rotated = electionPaper({ order: 'rotated', ballotOrder: [1, 2, 3, 4] });
    const starts = Array.from({ length: 200 }, (_, voter) => numbers(rotated, `voter-${voter}`)[0]);
    for (const number of [1, 2, 3, 4]) {
      expect(starts.filter((start) => start === number).length).toBeGreaterThan(20);
    }
    expect(numbers(rotated, 'voter-7')).toEqual(numbers(rotated, 'voter-7'));
    const [first = 0] = numbers(rotated, 'voter-7');
    expect(numbers(rotated, 'voter-7')).toEqual([0, 1, 2, 3].map((step) => ((first - 1 + step) % 4) + 1));
  });

  it('is spread by the published hash FNV-1a', () => {
    expect(hashOf('')).toBe(0x811c9dc5);
    expect(hashOf('foobar')).toBe(0xbf9cf968);
  });

  it('keeps the withdrawn ones in their places', () => {
    const candidates = [ballotCandidate(1), ballotCandidate(2, { isWithdrawn: true })];
    expect(orderedCandidates(electionPaper({ candidates }), 'x')[1]?.isWithdrawn).toBe(true);
  });
});
