import { IconInfoCircle } from '@tabler/icons-react';
import { paths } from '../paths';
import { TextLink } from '../ui/text-link';
import type { BallotQuestion } from './ballot';
import classes from './ballot-form.module.css';

const SENTENCES: Record<BallotQuestion['secrecy'], string> = {
  named: 'This is a named vote. The results will show your choice with your name.',
  unshown: 'Nobody is shown how you voted. The operator’s database has it.',
  secret: 'This is a secret vote. Your ballot is sealed, and after the count nothing stored links it to you.',
};

interface SecrecyNoteProps {
  id?: string;
  secrecy: BallotQuestion['secrecy'];
  /** Off where the screen has to stay. */
  hasLink?: boolean;
}

/** Tells the voter who can learn the vote. */
export function SecrecyNote({ id, secrecy, hasLink = true }: SecrecyNoteProps) {
  return (
    <p className={classes.named} data-quiet={secrecy === 'unshown'} role="note">
      <IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />
      <span>
        <span id={id}>{SENTENCES[secrecy]}</span>{' '}
        {hasLink ? <TextLink to={paths.secrecy}>Secret from whom</TextLink> : null}
      </span>
    </p>
  );
}
