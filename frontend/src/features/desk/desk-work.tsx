import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { proxyGivenWords } from '../../shared/desks/proxy-given-words';
import { countOf, formatNumber } from '../../shared/format';
import { type NamedKind, weightAmount } from '../../shared/result/weight-names';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import type { PresenceKind } from './desk-api';
import type { DeskEngine, DeskSnapshot } from './desk-engine';
import classes from './desk-page.module.css';
import { DeskPersonRow } from './desk-person-row';
import { type DeskPerson, found, type InSince, personInCode, sinceWords } from './desk-record';
import { DeskScanner } from './desk-scanner';
import { DeskScans } from './desk-scans';
import { DeskWaiting } from './desk-waiting';

const NO_CODE =
  'This is not a check-in code. Use the code for check-in, not the one for signing in, or search by name.';

/** What was done last, and to whom. */
interface Done {
  person: DeskPerson;
  kind: PresenceKind;
  /** Since when the person had been in until then. */
  before: InSince | null;
}

/** What a helper types and scans, and what follows from it. */
function useDeskWork(desk: DeskSnapshot, engine: DeskEngine) {
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState(0);
  const [done, setDone] = useState<Done | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [scans] = useState(() => new DeskScans());
  const input = useRef<HTMLInputElement>(null);
  const people = found(desk.people, search);
  const chosen = people[Math.min(place, people.length - 1)];

  function change(text: string) {
    setSearch(text);
    setPlace(0);
    setProblem(null);
  }

  function note(person: DeskPerson, kind: PresenceKind) {
    const before = engine.inSince(desk.people.get(person.id) ?? person);
    engine.note(person, kind);
    setDone({ person, kind, before });
    change('');
    input.current?.focus();
  }

  function handleScan(text: string) {
    if (!scans.isNew(text)) {
      return;
    }
    const id = personInCode(text);
    const person = id === null ? undefined : desk.people.get(id);
    if (person) {
      note(person, engine.inSince(person) ? 'OUT' : 'IN');
    } else {
      setDone(null);
      setProblem(id === null ? NO_CODE : 'This person may not vote in this meeting.');
    }
  }

  /** Enter checks in whoever is chosen. A reader of codes types the code and Enter. */
  function handleEnter() {
    if (personInCode(search) !== null) {
      change('');
      handleScan(search);
    } else if (chosen && engine.inSince(chosen)) {
      setProblem(`${chosen.name} is in already. To check out, use the button.`);
    } else if (chosen) {
      note(chosen, 'IN');
    }
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setPlace((current) => Math.max(0, Math.min(people.length - 1, current + step)));
    } else if (event.key === 'Escape') {
      change('');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      handleEnter();
    }
  }

  return { search, people, chosen, done, problem, input, change, note, handleScan, handleKey };
}

/** Search, scan, check in and out. */
export function DeskWork({ desk, engine }: { desk: DeskSnapshot; engine: DeskEngine }) {
  const work = useDeskWork(desk, engine);
  const { search, people, done } = work;
  return (
    <main className={classes.root}>
      <title>{`${desk.meeting?.desk ?? 'Check-in desk'} · Plenum`}</title>
      <DeskHead desk={desk} engine={engine} />
      <TestMeetingNote title={desk.meeting?.meetingTitle} organization={desk.meeting?.organization ?? ''} />
      <DeskWaiting desk={desk} onDismiss={(id) => engine.dismiss(id)} />
      {desk.meeting?.checkIn === 'OFF' ? (
        <p role="alert">The organizer has switched check-in off. Nothing can be entered now.</p>
      ) : null}
      <div className={classes.search}>
        <TextInput
          ref={work.input}
          label="Name, member number or group"
          description="Use the arrow keys to highlight a person, and Enter to check in."
          size="lg"
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => work.change(event.currentTarget.value)}
          onKeyDown={work.handleKey}
        />
        <DeskScanner onFound={work.handleScan} />
      </div>
      <p className={classes.done} data-kind={done?.kind} role="status">
        {done ? doneWords(done, desk.meeting?.weightKind) : null}
      </p>
      {work.problem ? (
        <p className={classes.problem} role="alert">
          {work.problem}
        </p>
      ) : null}
      {search.trim() !== '' && people.length === 0 ? (
        <p>Nobody with this name or number may vote here.</p>
      ) : null}
      <ul className={classes.list} aria-label="People found">
        {people.map((person) => (
          <DeskPersonRow
            key={person.id}
            person={person}
            kind={desk.meeting?.weightKind}
            since={engine.inSince(person)}
            isChosen={person === work.chosen}
            onNote={(kind) => work.note(person, kind)}
          />
        ))}
      </ul>
      {done ? (
        <Button
          variant="default"
          className={classes.undo}
          onClick={() => work.note(done.person, done.kind === 'IN' ? 'OUT' : 'IN')}
        >
          {done.kind === 'IN' ? 'Check out again' : 'Check in again'}
        </Button>
      ) : null}
    </main>
  );
}

function DeskHead({ desk, engine }: { desk: DeskSnapshot; engine: DeskEngine }) {
  const present = [...desk.people.values()].filter((person) => engine.inSince(person)).length;
  return (
    <header className={classes.head}>
      <div>
        <h1 className={classes.title} dir="auto">
          {desk.meeting?.desk}
        </h1>
        <p className={classes.meeting} dir="auto">
          {desk.meeting?.meetingTitle}
        </p>
      </div>
      <p className={classes.count}>
        <strong>{formatNumber(present)}</strong> of {formatNumber(desk.people.size)} here
      </p>
    </header>
  );
}

/** What was done and, as the row of a search says, what the helper tells the person. */
function doneWords({ person, kind, before }: Done, weightKind: NamedKind): string {
  const { name, weight, mayVote, proxies, holders } = person;
  const ownWeight = weightKind ? weightAmount(weight, weightKind) : `Weight ${formatNumber(weight)}`;
  const words = [
    `${name} is checked ${kind === 'IN' ? 'in' : 'out'}.`,
    ...(kind === 'OUT' && before ? [`They had been in ${sinceWords(before)}.`] : []),
    `${mayVote ? ownWeight : 'No vote of their own'}.`,
    ...(proxies > 0 ? [`Holds ${countOf(proxies, 'proxy', 'proxies')}.`] : []),
    ...(holders.length > 0 ? [`${proxyGivenWords(person, kind === 'IN')}.`] : []),
  ];
  return words.join(' ');
}
