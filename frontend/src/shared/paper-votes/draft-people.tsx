import { Button } from '@mantine/core';
import { answerTexts } from '../ballot/ballot';
import { countOf } from '../format';
import type { DraftPerson } from './paper-draft';
import { ballotQuestion, type PaperQuestion } from './paper-question';
import classes from './paper-votes.module.css';
import { PersonWords } from './person-words';

interface DraftPeopleProps {
  question: PaperQuestion;
  people: DraftPerson[];
  /** What was done last. */
  done: string | null;
  /** Only where each person has their answers. */
  onEdit?: (person: DraftPerson) => void;
  onRemove: (person: DraftPerson) => void;
}

/** The people of the batch that is being entered, the last one first. */
export function DraftPeople({ question, people, done, onEdit, onRemove }: DraftPeopleProps) {
  return (
    <>
      <p role="status">
        {done} {people.length > 0 ? `${countOf(people.length, 'person', 'people')} in this batch.` : null}
      </p>
      {people.length > 0 ? (
        <ul className={classes.list} aria-label="People in this batch">
          {[...people].reverse().map((person) => (
            <li key={person.endUserId} className={classes.entry}>
              <PersonWords person={person} kind={question.weightKind} />
              {onEdit ? (
                <>
                  <span className={classes.answer} dir="auto">
                    {answerTexts(ballotQuestion(question), person.answers).join(', ')}
                  </span>
                  <Button
                    variant="default"
                    aria-label={`Change ${person.name}`}
                    onClick={() => onEdit(person)}
                  >
                    Change
                  </Button>
                </>
              ) : null}
              <Button variant="default" aria-label={`Remove ${person.name}`} onClick={() => onRemove(person)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
