import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { deskApi } from './desk-api';
import { DeskEngine } from './desk-engine';
import classes from './desk-page.module.css';
import { DeskWaiting } from './desk-waiting';
import { DeskWork } from './desk-work';

/** The screen of a helper without an account. The link has the token behind #, which the browser does not send. */
export function DeskPage() {
  const { hash } = useLocation();
  const token = hash.slice(1);
  return token.startsWith('desk_') ? <Desk key={token} token={token} /> : <NoLink />;
}

function NoLink() {
  return (
    <main className={classes.message}>
      <title>Check-in desk · Plenum</title>
      <h1>Check-in desk</h1>
      <p role="alert">This address is not complete. Please open the link that you got from the organizer.</p>
    </main>
  );
}

function Desk({ token }: { token: string }) {
  const [engine] = useState(() => new DeskEngine(token, deskApi(token)));
  const desk = useSyncExternalStore(engine.subscribe, engine.snapshot);
  useEffect(() => {
    void engine.start();
    return () => engine.stop();
  }, [engine]);

  if (desk.connection === 'ended') {
    return (
      <main className={classes.message}>
        <title>Check-in desk · Plenum</title>
        <h1>This desk is closed</h1>
        <p role="alert">{desk.ending}</p>
        <DeskWaiting desk={desk} onDismiss={(id) => engine.dismiss(id)} />
      </main>
    );
  }
  if (desk.people.size === 0 && desk.connection === 'loading') {
    return (
      <main className={classes.message}>
        <title>Check-in desk · Plenum</title>
        <h1>Check-in desk</h1>
        <p role="status">Loading the list of people…</p>
        <Button variant="default" onClick={() => void engine.sync()}>
          Try again
        </Button>
      </main>
    );
  }
  return <DeskWork desk={desk} engine={engine} />;
}
