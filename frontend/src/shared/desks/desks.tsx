import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { fieldErrorsOf, messageOf } from '../../api/api-error';
import type { Desk, DeskPurpose } from '../../api/types';
import { paths, publicUrl } from '../paths';
import { QrCode } from '../presentation/qr-code';
import { BusyButton } from '../ui/busy-button';
import { CopyButton } from '../ui/copy-button';
import { FormError } from '../ui/form-error';
import { LoadError } from '../ui/load-error';
import rows from '../ui/named-rows.module.css';
import { useSingleStart } from '../use-single-start';
import classes from './desks.module.css';
import { useMakeDesk, useRevokeDesk } from './mutations';
import { purposeWords } from './purposes';
import { deskQueries } from './queries';

interface DesksProps {
  meetingId: string;
  title: string;
  /** The purposes to choose from. Desks for other purposes are not listed. */
  purposes: readonly [DeskPurpose, ...DeskPurpose[]];
}

/** A new desk, whose link is shown until the next one is made or the screen closes. */
interface MadeDesk {
  name: string;
  link: string;
}

/** Makes, lists and revokes desks. */
export function Desks({ meetingId, title, purposes }: DesksProps) {
  const id = useId();
  const desks = useQuery(deskQueries.ofMeeting(meetingId));
  const [made, setMade] = useState<MadeDesk | null>(null);
  const listed = desks.data?.filter(({ purpose }) => purposes.includes(purpose)) ?? [];
  const working = listed.filter(({ revokedAt }) => revokedAt === null);
  return (
    <section className={classes.root} aria-labelledby={id}>
      <h3 id={id} className={classes.title}>
        {title}
      </h3>
      <p className={classes.note}>
        A desk is a link for a helper without an account. It can do one thing in this meeting, and nothing
        else. It works until you revoke it or the meeting ends.
      </p>
      <NewDesk meetingId={meetingId} purposes={purposes} desks={listed} onMade={setMade} />
      {made ? <DeskLink made={made} onClose={() => setMade(null)} /> : null}
      {desks.isError ? (
        <LoadError
          message={messageOf(desks.error, 'The desks could not be loaded')}
          isRetrying={desks.isFetching}
          onRetry={() => void desks.refetch()}
        />
      ) : null}
      {working.length > 0 ? (
        <ul className={rows.list}>
          {working.map((desk) => (
            <DeskRow key={desk.id} meetingId={meetingId} desk={desk} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface NewDeskProps extends Pick<DesksProps, 'meetingId' | 'purposes'> {
  /** All desks so far, for the number in the suggested name. */
  desks: Desk[];
  onMade: (made: MadeDesk) => void;
}

function NewDesk({ meetingId, purposes, desks, onMade }: NewDeskProps) {
  const make = useMakeDesk(meetingId);
  const [purpose, setPurpose] = useState<DeskPurpose>(purposes[0]);
  const [typed, setTyped] = useState<string | null>(null);
  const words = purposeWords(purpose);
  const count = desks.filter((desk) => desk.purpose === purpose).length;
  const name = typed ?? `${words.name} ${count + 1}`;
  const refused = make.isError ? fieldErrorsOf(make.error).name : undefined;
  const startOnce = useSingleStart(make.isPending);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    // A second attempt would take the only response with the link away from the first one.
    startOnce(() =>
      make.mutate(
        { name, purpose },
        {
          onSuccess: ({ desk, token }) => {
            setTyped(null);
            onMade({ name: desk.name, link: publicUrl(paths.desk(token)) });
          },
        },
      ),
    );
  }

  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <NativeSelect
        className={classes.purpose}
        label="What the link is for"
        description={words.text}
        data={purposes.map((value) => ({ value, label: purposeWords(value).label }))}
        value={purpose}
        onChange={({ currentTarget: { value } }) =>
          setPurpose(purposes.find((one) => one === value) ?? purposes[0])
        }
      />
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
    <li className={rows.row}>
      <span className={rows.who}>
        <span className={rows.name} dir="auto">
          {desk.name}
        </span>
        <span className={rows.quiet}>
          {purposeWords(desk.purpose).label}, made by {desk.madeBy}
        </span>
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
