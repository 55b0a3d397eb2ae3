import { type ReactNode, useDeferredValue, useId } from 'react';
import type { Meeting } from '../../../api/types';
import { type BallotQuestion, emptyHint } from '../../../shared/ballot/ballot';
import { BallotControl } from '../../../shared/ballot/ballot-control';
import ballot from '../../../shared/ballot/ballot-form.module.css';
import { QuestionHead } from '../../../shared/ballot/question-header';
import { SecrecyNote } from '../../../shared/ballot/secrecy-note';
import { paths, publicUrl } from '../../../shared/paths';
import { PresentationView } from '../../../shared/presentation/presentation-view';
import { type Draft, toBallotQuestion, toPresentation } from './preview-data';
import classes from './question-preview.module.css';

interface QuestionPreviewProps extends Draft {
  meeting: Meeting;
}

/** The question as the presentation and a voter's phone will show it. It only shows: nothing in it can be used. */
export default function QuestionPreview({ meeting, ...typed }: QuestionPreviewProps) {
  // Typing comes first: the preview follows when there is time.
  const values = useDeferredValue(typed.values);
  const draft = { ...typed, values };
  return (
    <div className={classes.root}>
      <div className={classes.screens}>
        <Screen name="On the presentation">
          <div className={classes.presentation}>
            <PresentationView
              presentation={toPresentation(draft, meeting)}
              connection="live"
              lastContactAt={null}
              joinUrl={publicUrl(paths.participantLogin(meeting.client.clientCode))}
            />
          </div>
        </Screen>
        <Screen name="On a voter’s phone" isPhone>
          <Phone title={meeting.title} question={toBallotQuestion(draft)} />
        </Screen>
      </div>
    </div>
  );
}

interface ScreenProps {
  name: string;
  isPhone?: boolean;
  children: ReactNode;
}

function Screen({ name, isPhone = false, children }: ScreenProps) {
  const id = useId();
  return (
    <figure className={classes.screen} data-phone={isPhone || undefined} aria-labelledby={id}>
      <figcaption className={classes.name} id={id}>
        {name}
      </figcaption>
      {/* It scrolls, so only its content is inert: an inert element does not get the wheel. */}
      <div className={classes.frame} aria-hidden="true">
        <div inert>{children}</div>
      </div>
    </figure>
  );
}

function Phone({ title, question }: { title: string; question: BallotQuestion }) {
  const headingId = useId();
  return (
    <div className={classes.phone}>
      <p className={classes.meeting}>{title}</p>
      <div className={classes.paper}>
        <QuestionHead headingId={headingId} question={question} />
        <BallotControl
          question={question}
          answers={NO_ANSWERS}
          isDisabled={false}
          labelledBy={headingId}
          describedBy={undefined}
          onChange={() => undefined}
        />
      </div>
      <div className={`${ballot.bar} ${classes.bar}`}>
        <SecrecyNote secrecy={question.secrecy} />
        <p className={ballot.barHint}>{emptyHint(question.type)}</p>
      </div>
    </div>
  );
}

const NO_ANSWERS: string[] = [];
