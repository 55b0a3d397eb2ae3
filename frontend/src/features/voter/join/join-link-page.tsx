import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, messageOf } from '../../../api/api-error';
import type { JoinBody, JoinView } from '../../../api/types';
import { paths } from '../../../shared/paths';
import { SignInWaitNotice } from '../../../shared/sign-in/sign-in-wait-notice';
import { FormError } from '../../../shared/ui/form-error';
import { LoadingScreen } from '../../../shared/ui/loading-screen';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useJoin } from '../mutations';
import { voterQueries } from '../queries';
import { JoinCodeStep, useSendJoinCode } from './join-code-step';
import { EntryShell } from './join-shell';
import classes from './join-shell.module.css';
import { useJoinToken } from './join-token';
import { PasswordField } from './password-field';
import { KeptVoteNotice } from './stored-vote-notice';

/** The page of a personal link: asks whether the name is right, and signs in without typing. */
export function JoinLinkPage() {
  const token = useJoinToken();
  // Nothing of one person's link may stay on the page of the next.
  return <PersonalLink key={token} token={token} />;
}

function PersonalLink({ token }: { token: string | null }) {
  const link = useQuery({ ...voterQueries.joinLink(token ?? ''), enabled: token !== null });
  const [isSomebodyElse, setIsSomebodyElse] = useState(false);

  if (token === null) {
    return (
      <EntryShell
        title="This link is not complete"
        description="Scan the code again, or open the link from the mail again."
      >
        <OrdinarySignIn />
      </EntryShell>
    );
  }
  if (link.isPending) {
    return <LoadingScreen text="Opening your personal link..." />;
  }
  // A later failure must not take away the code step.
  if (link.data === undefined) {
    return isVoid(link.error) ? (
      <VoidLink />
    ) : (
      <EntryShell
        title="Your link could not be opened yet"
        description={messageOf(link.error, 'The server could not be reached.')}
      >
        <div className={classes.actions}>
          <Button size="lg" h={56} fullWidth loading={link.isFetching} onClick={() => link.refetch()}>
            Try again
          </Button>
        </div>
      </EntryShell>
    );
  }
  if (isSomebodyElse) {
    return (
      <EntryShell
        title={`This link belongs to ${link.data.name}`}
        description="Please do not use it, and give it back to your organizer. You can sign in with your own username and password."
      >
        <OrdinarySignIn clientCode={link.data.clientCode} />
      </EntryShell>
    );
  }
  return <Confirmation token={token} owner={link.data} onRefuse={() => setIsSomebodyElse(true)} />;
}

interface ConfirmationProps {
  token: string;
  owner: JoinView;
  onRefuse: () => void;
}

function Confirmation({ token, owner, onRefuse }: ConfirmationProps) {
  const navigate = useNavigate();
  const { signIn, wait } = useJoin();
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const asksPassword = owner.asks === 'PASSWORD';
  const sendCode = useSendJoinCode();

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (signIn.isPending || sendCode.isPending) {
      return;
    }
    if (asksPassword && password === '') {
      setRefusal('Please enter your password');
      return;
    }
    setRefusal(null);
    if (owner.codeTo === null) {
      join(asksPassword ? { token, password } : { token });
    } else {
      sendCode.mutate(token, {
        onError: (error) => setRefusal(messageOf(error, 'The code could not be sent')),
      });
    }
  }

  function join(body: JoinBody) {
    signIn.mutate(body, {
      onSuccess: () =>
        navigate(owner.meetingId ? paths.votingMeeting(owner.meetingId) : paths.voting, { replace: true }),
      onError: (error) => setRefusal(messageOf(error, 'Login failed')),
    });
  }

  if (isVoid(signIn.error) || isVoid(sendCode.error)) {
    return <VoidLink clientCode={owner.clientCode} />;
  }
  if (sendCode.isSuccess && owner.codeTo !== null) {
    return (
      <EntryShell title="Check your email" description={owner.organization} code={owner.clientCode}>
        <JoinCodeStep
          token={token}
          address={owner.codeTo}
          isBusy={signIn.isPending}
          refusal={refusal}
          onSubmit={(code) => {
            setRefusal(null);
            join({ token, code });
          }}
        />
      </EntryShell>
    );
  }
  return (
    <EntryShell title={`You are ${owner.name}?`} description={owner.organization} code={owner.clientCode}>
      <KeptVoteNotice />
      {owner.meetingTitle ? <p className={classes.joining}>You're joining: {owner.meetingTitle}</p> : null}
      <form className={classes.form} noValidate onSubmit={handleSubmit}>
        <FormError message={refusal} />
        {asksPassword ? <PasswordField value={password} onChange={setPassword} /> : null}
        <SubmitButton
          size="lg"
          h={56}
          fullWidth
          isBusy={signIn.isPending || sendCode.isPending}
          busyLabel={owner.codeTo === null ? 'Signing in...' : 'Sending the code...'}
        >
          Yes, that's me
        </SubmitButton>
        <Button variant="default" size="lg" fullWidth onClick={onRefuse}>
          No
        </Button>
        <SignInWaitNotice wait={wait} />
      </form>
    </EntryShell>
  );
}

/** The server does not know the link any more. Other errors tell nothing about it. */
function isVoid(error: unknown): boolean {
  return error instanceof ApiError && [404, 422].includes(error.status);
}

function VoidLink({ clientCode }: { clientCode?: string }) {
  return (
    <EntryShell
      title="This personal link no longer works"
      description="It may have been used or replaced, or the meeting is over. Sign in with your username and password, or ask your organizer for a new link."
    >
      <OrdinarySignIn {...(clientCode ? { clientCode } : {})} />
    </EntryShell>
  );
}

function OrdinarySignIn({ clientCode }: { clientCode?: string }) {
  return (
    <div className={classes.actions}>
      <Button
        component={Link}
        to={clientCode ? paths.participantLogin(clientCode) : paths.participant}
        variant="default"
        size="lg"
        fullWidth
      >
        Sign in with username and password
      </Button>
    </div>
  );
}
