import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../../shared/paths';
import { SessionNotice } from '../../../shared/ui/session-notice';
import { EntryShell } from './join-shell';
import classes from './join-shell.module.css';
import { KeptVoteNotice } from './stored-vote-notice';

/** The first step of a voter's sign-in without a link: the code of the organization. */
export function ParticipantPortalPage() {
  const navigate = useNavigate();
  const location = useLocation();
  const [clientCode, setClientCode] = useState(() => textOf(location.state, 'clientCode') ?? '');
  const [error, setError] = useState(() => textOf(location.state, 'codeRefusal'));

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const code = clientCode.trim();
    if (code === '') {
      setError('Please enter your organization code');
      return;
    }
    navigate(paths.participantLogin(code), { state: { ...location.state, codeRefusal: undefined } });
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
          onChange={(event) => {
            setClientCode(event.currentTarget.value.toLowerCase());
            setError(null);
          }}
        />
        <Button type="submit" size="lg" h={56} fullWidth>
          Continue
        </Button>
      </form>
    </EntryShell>
  );
}

/** Returns an unknown code with the reason, so that the voter can correct it. */
function textOf(state: unknown, key: 'clientCode' | 'codeRefusal'): string | null {
  const text = (state as Record<string, unknown> | null)?.[key];
  return typeof text === 'string' ? text : null;
}
