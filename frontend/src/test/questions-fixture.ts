import type { Question } from '../api/types';
import { sampleMeeting } from './samples';
import { http, server } from './server';

/** The initial data of each test, reset before each one. */
export const given = {} as {
  questions: Question[];
};

export function arrangeQuestions() {
  given.questions = [];
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) =>
      response(200).json(sampleMeeting({ title: 'Budget meeting' })),
    ),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json(given.questions)),
  );
}
