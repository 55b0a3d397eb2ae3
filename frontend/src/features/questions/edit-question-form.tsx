import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../shared/ui/error-state';
import { FreshData } from '../../shared/ui/fresh-data';
import { questionQueries } from './queries';
import { QuestionEditor } from './question-editor';

interface EditQuestionFormProps {
  meetingId: string;
  questionId: string;
  onDone: () => void;
}

/** Changes a question, starting from what the server has at this moment. */
export function EditQuestionForm({ meetingId, questionId, onDone }: EditQuestionFormProps) {
  const query = useQuery({ ...questionQueries.ofMeeting(meetingId), staleTime: 0 });
  return (
    <FreshData query={query} loadingText="Loading question..." errorText="Failed to load question">
      {(questions) => {
        const question = questions.find(({ id }) => id === questionId);
        return question ? (
          <QuestionEditor meetingId={meetingId} question={question} onDone={onDone} />
        ) : (
          <ErrorState title="Question not found" hint="Another organizer may have deleted it." />
        );
      }}
    </FreshData>
  );
}
