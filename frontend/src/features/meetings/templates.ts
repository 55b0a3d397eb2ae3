import type { CreateMeetingBody, DecisionRule, MeetingQuorum, NewQuestionBody } from '../../api/types';
import { placeholders } from '../../shared/meeting/placeholders';
import { type MajorityName, majorityConditions } from '../../shared/result/rule-names';
import { fromQuorum, noQuorum, type QuorumFields } from '../../shared/terms/quorum-form';

export type TemplateName = 'blank' | 'general' | 'election' | 'budget' | 'by_laws' | 'survey';

interface Template {
  label: string;
  hint: string;
  title: string;
  quorum: MeetingQuorum | null;
  questions: NewQuestionBody[];
}

const halfPresent: MeetingQuorum = {
  comparison: 'at_least',
  numerator: 1,
  denominator: 2,
  unit: 'heads',
  attendance: 'present',
  atOpening: 'warn',
};

function majority(name: MajorityName): DecisionRule {
  return { kind: 'majority', conditions: majorityConditions(name, 'heads'), onTie: 'rejected' };
}

function motion(questionText: string, name: MajorityName = 'simple'): NewQuestionBody {
  return {
    questionText,
    questionType: 'YES_NO',
    options: ['Yes', 'No', 'Abstain'],
    decisionRule: majority(name),
  };
}

function election(questionText: string, candidates: number, seats: number): NewQuestionBody {
  return {
    questionText,
    questionType: 'ELECTION',
    options: placeholders('Candidate', candidates),
    decisionRule: { kind: 'election', election: { method: 'plurality', seats } },
  };
}

const templates: Record<TemplateName, Template> = {
  blank: { label: 'Blank', hint: 'No questions yet.', title: '', quorum: null, questions: [] },
  general: {
    label: 'General meeting',
    hint: 'Four motions decided by simple majority. At least half of the people should be present.',
    title: 'General meeting',
    quorum: halfPresent,
    questions: [
      motion('Do you approve the agenda?'),
      motion('Do you approve the minutes of the last meeting?'),
      motion('Do you approve the annual accounts?'),
      motion('Do you discharge the board for the past year?'),
    ],
  },
  election: {
    label: 'Board election',
    hint: 'A chair and three members of the board. The most votes win. Replace the candidates by names.',
    title: 'Board election',
    quorum: halfPresent,
    questions: [
      election('Who should chair the board?', 2, 1),
      election('Who should join the board? You may choose up to three.', 4, 3),
    ],
  },
  budget: {
    label: 'Budget',
    hint: 'The budget and the fees, decided by simple majority. At least half of the people should be present.',
    title: 'Budget meeting',
    quorum: halfPresent,
    questions: [
      motion('Do you approve the budget for the coming year as presented?'),
      motion('Do you approve the fees for the coming year as presented?'),
    ],
  },
  by_laws: {
    label: 'By-laws',
    hint: 'A change of the by-laws with two thirds of the votes. At least half of the people should be present.',
    title: 'Change of the by-laws',
    quorum: halfPresent,
    questions: [motion('Do you adopt the change of the by-laws as presented?', 'two_thirds')],
  },
  survey: {
    label: 'Survey',
    hint: 'Opinions that are counted. Nothing is decided, so there is neither a decision rule nor a quorum.',
    title: 'Survey',
    quorum: null,
    questions: [
      { questionText: 'How satisfied are you with the past year?', questionType: 'RATING', ratingMax: 5 },
      {
        questionText: 'Which topics matter most to you? You may choose up to two.',
        questionType: 'MULTIPLE_CHOICE',
        options: placeholders('Topic', 3),
        maxChoices: 2,
      },
      { questionText: 'What should we do better?', questionType: 'OPEN_TEXT' },
    ],
  },
};

export const templateChoices = (Object.keys(templates) as TemplateName[]).map((value) => ({
  value,
  label: templates[value].label,
}));

export function templateHint(name: TemplateName): string {
  return templates[name].hint;
}

/** The values that a template sets. A title that somebody typed stays. */
export function templateValues(
  name: TemplateName,
  { title, template }: { title: string; template: TemplateName },
): { template: TemplateName; title: string; quorum: QuorumFields } {
  const { title: usual, quorum } = templates[name];
  const isUntouched = title.trim() === '' || title === templates[template].title;
  return {
    template: name,
    title: isUntouched ? usual : title,
    quorum: quorum ? fromQuorum(quorum) : noQuorum,
  };
}

/** The questions of a template in the body of a new meeting. */
export function templateQuestions(name: TemplateName): Pick<CreateMeetingBody, 'questions'> {
  const { questions } = templates[name];
  return questions.length > 0 ? { questions } : {};
}
