import { Button } from '@mantine/core';
import { proxyGivenWords } from '../../shared/desks/proxy-given-words';
import { countOf } from '../../shared/format';
import { type NamedKind, weightAmount } from '../../shared/result/weight-names';
import type { PresenceKind } from './desk-api';
import classes from './desk-page.module.css';
import { type DeskPerson, type InSince, sinceWords } from './desk-record';

interface DeskPersonRowProps {
  person: DeskPerson;
  /** The kind that the meeting counts as weight. */
  kind: NamedKind;
  /** Null if the person is not in. */
  since: InSince | null;
  /** Enter acts on this person. */
  isChosen: boolean;
  onNote: (kind: PresenceKind) => void;
}

/** A person with the weight, groups and proxies, where and since when they are in, and what can be done. */
export function DeskPersonRow({ person, kind, since, isChosen, onNote }: DeskPersonRowProps) {
  const { name, username, weight, mayVote, groups, proxies, holders } = person;
  return (
    <li className={classes.person} data-chosen={isChosen} data-in={since !== null}>
      <div className={classes.who}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <span className={classes.facts}>
          {[username, mayVote ? weightAmount(weight, kind) : 'no vote of their own', ...groups].join(', ')}
        </span>
        {proxies > 0 ? (
          <span className={classes.facts}>Holds {countOf(proxies, 'proxy', 'proxies')}</span>
        ) : null}
        {holders.length > 0 ? (
          <span className={classes.facts}>{proxyGivenWords(person, since !== null)}</span>
        ) : null}
        {since ? <span className={classes.state}>In {sinceWords(since)}</span> : null}
      </div>
      {since ? (
        <Button size="lg" variant="default" onClick={() => onNote('OUT')} aria-label={`Check out ${name}`}>
          Check out
        </Button>
      ) : (
        <Button size="lg" onClick={() => onNote('IN')} aria-label={`Check in ${name}`}>
          Check in
        </Button>
      )}
    </li>
  );
}
