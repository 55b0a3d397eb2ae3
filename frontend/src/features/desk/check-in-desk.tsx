import { Button } from '@mantine/core';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { deskApi } from './desk-api';
import { DeskEngine } from './desk-engine';
import { DeskMessage } from './desk-message';
import { DeskUnsent } from './desk-waiting';
import { DeskWork } from './desk-work';

/** A check-in desk. It goes on without a network. */
export function CheckInDesk({ token }: { token: string }) {
  const [engine] = useState(() => new DeskEngine(token, deskApi(token)));
  const desk = useSyncExternalStore(engine.subscribe, engine.snapshot);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    void engine.start();
    return () => engine.stop();
  }, [engine]);

  if (desk.connection === 'ended') {
    return (
      <DeskMessage title="This desk is closed" heading={heading}>
        <p role="alert">{desk.ending}</p>
        <DeskUnsent
          desk={desk}
          heading={heading}
          onDismiss={(id) => engine.dismiss(id)}
          onDiscard={() => engine.discardWaiting()}
        />
      </DeskMessage>
    );
  }
  if (desk.people.size === 0 && desk.connection === 'loading') {
    return (
      <DeskMessage title="Check-in desk">
        <p role="status">Loading the list of people…</p>
        <Button variant="default" onClick={() => void engine.sync()}>
          Try again
        </Button>
      </DeskMessage>
    );
  }
  return <DeskWork desk={desk} engine={engine} />;
}
