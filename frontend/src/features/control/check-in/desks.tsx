import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf, messageOf } from '../../../api/api-error';
import { paths, publicUrl } from '../../../shared/paths';
import { QrCode } from '../../../shared/presentation/qr-code';
import { BusyButton } from '../../../shared/ui/busy-button';
import { CopyButton } from '../../../shared/ui/copy-button';
import { FormError } from '../../../shared/ui/form-error';
import { LoadError } from '../../../shared/ui/load-error';
import classes from './check-in.module.css';
import { useMakeDesk, useRevokeDesk } from './mutations';
import { checkInQueries, type Desk } from './queries';

/** A new desk, whose link is shown until the next one is made or the panel closes. */
interface MadeDesk {
  name: string;
  link: string;
}

/** Makes, lists and revokes desks. */
export function Desks({ meetingId }: { meetingId: string }) {
  const desks = useQuery(checkInQueries.desks(meetingId));
  const [made, setMade] = useState<MadeDesk | null>(null);
  const working = desks.data?.filter(({ revokedAt }) => revokedAt === null) ?? [];
  return (
    <section className={classes.part} aria-labelledby="desks">
      <h3 id="desks" className={classes.title}>
        Desks
      </h3>
      <p className={classes.note}>
        A desk is a link for a helper without an account. It checks people in and out of this meeting, and
        nothing else. It works until you revoke it or the meeting ends.
      </p>
      <NewDesk meetingId={meetingId} count={desks.data?.length ?? 0} onMade={setMade} />
      {made ? <DeskLink made={made} onClose={() => setMade(null)} /> : null}
      {desks.isError ? (
        <LoadError
          message={messageOf(desks.error, 'The desks could not be loaded')}
          isRetrying={desks.isFetching}
          onRetry={() => void desks.refetch()}
        />
      ) : null}
      {working.length > 0 ? (
        <ul className={classes.list}>
          {working.map((desk) => (
            <DeskRow key={desk.id} meetingId={meetingId} desk={desk} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface NewDeskProps {
  meetingId: string;
  count: number;
  onMade: (made: MadeDesk) => void;
}

function NewDesk({ meetingId, count, onMade }: NewDeskProps) {
  const make = useMakeDesk(meetingId);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? `Desk ${count + 1}`;
  const refused = make.isError ? fieldErrorsOf(make.error).name : undefined;

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    make.mutate(name, {
      onSuccess: ({ desk, token }) => {
        setTyped(null);
        onMade({ name: desk.name, link: publicUrl(paths.desk(token)) });
      },
    });
  }

  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <TextInput
        label="Name of the desk"
        value={name}
        maxLength={60}
        error={refused}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <BusyButton type="submit" isBusy={make.isPending} busyLabel="Making…" disabled={name.trim() === ''}>
        Make a desk
      </BusyButton>
      <FormError
        message={
          make.isError && refused === undefined ? messageOf(make.error, 'Failed to make the desk') : null
        }
      />
    </form>
  );
}

function DeskLink({ made, onClose }: { made: MadeDesk; onClose: () => void }) {
  return (
    <div className={classes.link} role="status">
      <p>
        <strong dir="auto">{made.name}</strong>: open this link on the helper’s device. It is shown only now.
      </p>
      <p className={classes.address}>
        {made.link} <CopyButton text={made.link} label="Copy the link of the desk" />
      </p>
      <div className={classes.qr}>
        <QrCode text={made.link} label={`QR code of the link of ${made.name}`} />
      </div>
      <Button variant="default" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}

function DeskRow({ meetingId, desk }: { meetingId: string; desk: Desk }) {
  const revoke = useRevokeDesk(meetingId);
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <span className={classes.name} dir="auto">
          {desk.name}
        </span>
        <span className={classes.quiet}>made by {desk.madeBy}</span>
      </span>
      <BusyButton
        size="xs"
        variant="default"
        isBusy={revoke.isPending}
        busyLabel="Revoking…"
        aria-label={`Revoke ${desk.name}`}
        onClick={() => revoke.mutate(desk)}
      >
        Revoke
      </BusyButton>
    </li>
  );
}
