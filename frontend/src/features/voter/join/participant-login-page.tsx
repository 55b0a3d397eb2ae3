import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { ApiError, messageOf } from '../../../api/api-error';
import type { User } from '../../../api/types';
import { useUser } from '../../../api/use-session';
import { paths } from '../../../shared/paths';
import { pathAfterSignIn } from '../../../shared/return-to';
import { SignInWaitNotice } from '../../../shared/sign-in/sign-in-wait-notice';
import { pendingMeetingNote } from '../../../shared/storage';
import { FormError } from '../../../shared/ui/form-error';
import { SessionNotice } from '../../../shared/ui/session-notice';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { toast } from '../../../shared/ui/toast';
import { useSignInAsVoter } from '../mutations';
import { voterQueries } from '../queries';
import { EntryShell } from './join-shell';
import classes from './join-shell.module.css';
import { PasswordField } from './password-field';
import { KeptVoteNotice } from './stored-vote-notice';

/** The second step of a voter's sign-in: name and password, in the organization of the address. */
export function ParticipantLoginPage() {
  const clientCode = (useParams().clientCode ?? '').toLowerCase();
  const navigate = useNavigate();
  const { state } = useLocation();
  const organization = useQuery({ ...voterQueries.organization(clientCode), enabled: clientCode !== '' });
  const [pendingMeeting] = useState(pendingMeetingNote.read);

  const [arrived] = useState(useUser());
  const currentCode = organization.data?.clientCode ?? clientCode;
  const isFormer = currentCode !== clientCode;

  const failure = organization.error;
  useEffect(() => {
    if (failure) {
      // Next to the code field, which removes it with the first change.
      navigate(paths.participant, {
        replace: true,
        state: { ...state, clientCode, codeRefusal: reasonOf(failure) },
      });
    }
  }, [failure, clientCode, navigate, state]);

  // `RedirectIfAuthenticated` knows only the current code.
  if (isFormer && arrived?.clientCode === currentCode && arrived.role === 'END_USER') {
    return <Navigate to={pathAfterSignIn(state, arrived, paths.voting)} replace />;
  }
  return (
    <EntryShell
      code={clientCode}
      title={organization.data?.name ?? 'Participant sign-in'}
      description={<OrganizationLine clientCode={currentCode} isPending={organization.isLoading} />}
      footer="Having trouble logging in? Contact your administrator."
    >
      <SessionNotice />
      <KeptVoteNotice />
      {pendingMeeting ? (
        <p className={classes.joining}>You're joining: {pendingMeeting.meetingTitle}</p>
      ) : null}
      <CredentialsForm clientCode={clientCode} pendingMeeting={pendingMeeting} />
    </EntryShell>
  );
}

interface CredentialsFormProps {
  clientCode: string;
  /** The meeting of the invitation that led here. */
  pendingMeeting: ReturnType<typeof pendingMeetingNote.read>;
}

function CredentialsForm({ clientCode, pendingMeeting }: CredentialsFormProps) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const { signIn, wait } = useSignInAsVoter();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (signIn.isPending) {
      return;
    }
    if (clientCode === '') {
      setRefusal('Organization information missing');
      return;
    }
    if (username.trim() === '' || password === '') {
      setRefusal('Please enter username and password');
      return;
    }
    setRefusal(null);
    signIn.mutate(
      { clientCode, username: username.trim(), password },
      { onSuccess: handleSignedIn, onError: (error) => setRefusal(messageOf(error, 'Login failed')) },
    );
  }

  function handleSignedIn(user: User) {
    pendingMeetingNote.remove();
    toast.success('Login successful!');
    const back = pathAfterSignIn(state, user, paths.voting);
    navigate(pendingMeeting ? paths.votingMeeting(pendingMeeting.meetingId) : back, { replace: true });
  }

  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <FormError message={refusal} />
      <TextInput
        label="Username"
        labelProps={{ size: 'md' }}
        size="lg"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordField value={password} onChange={setPassword} />
      <SubmitButton size="lg" h={56} fullWidth isBusy={signIn.isPending} busyLabel="Signing in...">
        Sign In
      </SubmitButton>
      <SignInWaitNotice wait={wait} />
    </form>
  );
}

function reasonOf(failure: Error): string {
  const status = failure instanceof ApiError ? failure.status : null;
  if (status === 404) {
    return 'Invalid organization code';
  }
  // Only the server knows how long the limit lasts.
  return status === 429 ? failure.message : 'Failed to load organization information';
}

function OrganizationLine({ clientCode, isPending }: { clientCode: string; isPending: boolean }) {
  if (isPending) {
    return <Skeleton height={16} width={160} mt={4} />;
  }
  if (clientCode === '') {
    return (
      <p>
        To sign in, enter your organization's code first. <Link to={paths.participant}>Enter the code</Link>
      </p>
    );
  }
  return (
    <p>
      Organization code <span className={classes.code}>{clientCode.toUpperCase()}</span>
    </p>
  );
}
