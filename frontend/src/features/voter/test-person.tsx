import { Notice } from './notice';

/** For a person whose name marks test data. */
export function TestPerson() {
  return (
    <Notice tone="info" title="Your name marks you as test data">
      <p>
        A name that begins with TEST_ has no vote in real meetings. Ask the organizer to change your name.
      </p>
    </Notice>
  );
}
