import { Button, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { SessionNotice } from '../../../shared/ui/session-notice';
import { entryTarget, isLink } from './entry-target';
import { EntryShell } from './join-shell';
import classes from './join-shell.module.css';
import { KeptVoteNotice } from './stored-vote-notice';

/** Few browsers read QR codes, so the others do not load it. */
const CodeScanner = lazy(() => import('./code-scanner'));

/** The first step of a voter's sign-in without a link: the code of the organization. */
export function ParticipantPortalPage() {
  const navigate = useNavigate();
  const location = useLocation();
  const [clientCode, setClientCode] = useState(() => textOf(location.state, 'clientCode') ?? '');
  const [error, setError] = useState(() => textOf(location.state, 'codeRefusal'));

  function follow(text: string) {
    const target = entryTarget(text);
    if ('refusal' in target) {
      setError(target.refusal);
      return;
    }
    navigate(target.path, { state: { ...location.state, codeRefusal: undefined } });
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    follow(clientCode);
  }

  function handleTyped(text: string) {
    // The end of an invitation link distinguishes capitals.
    setClientCode(isLink(text) ? text : text.toLowerCase());
    setError(null);
  }

  return (
    <EntryShell
      title="Participant Portal"
      description="Enter your organization's code to take part in its meetings."
      footer="The code is on your invitation and on the screen in the hall."
    >
      <SessionNotice />
      <KeptVoteNotice />
      <form className={classes.form} noValidate onSubmit={handleSubmit}>
        <TextInput
          label="Organization Code"
          labelProps={{ size: 'md' }}
          size="lg"
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="organization"
          spellCheck={false}
          enterKeyHint="next"
          required
          withAsterisk={false}
          value={clientCode}
          error={error}
          errorProps={{ role: 'alert', fz: 'md' }}
          onChange={(event) => handleTyped(event.currentTarget.value)}
        />
        {error === null ? <Preview typed={clientCode.trim()} /> : null}
        <Button type="submit" size="lg" h={56} fullWidth>
          Continue
        </Button>
      </form>
      {'BarcodeDetector' in globalThis ? (
        <Suspense>
          <CodeScanner
            onFound={(text) => {
              handleTyped(text);
              follow(text);
            }}
          />
        </Suspense>
      ) : null}
    </EntryShell>
  );
}

/** The code as it is printed, to compare. */
function Preview({ typed }: { typed: string }) {
  return (
    <p className={classes.preview}>
      {typed === '' || isLink(typed) ? (
        'Or paste the link of your invitation.'
      ) : (
        <>
          On screens and slips: <span className={classes.code}>{typed.toUpperCase()}</span>
        </>
      )}
    </p>
  );
}

/** Returns an unknown code with the reason, so that the voter can correct it. */
function textOf(state: unknown, key: 'clientCode' | 'codeRefusal'): string | null {
  const text = (state as Record<string, unknown> | null)?.[key];
  return typeof text === 'string' ? text : null;
}
