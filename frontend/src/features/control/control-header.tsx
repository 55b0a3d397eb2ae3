import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconArrowLeft,
  IconCopy,
  IconExternalLink,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { Link } from 'react-router';
import type { Meeting } from '../../api/types';
import { useUser } from '../../api/use-session';
import { copyComingText, copyText } from '../../shared/clipboard';
import { formatDateTime } from '../../shared/format';
import { ConnectionStatus } from '../../shared/live/connection-status';
import type { ConnectionStatus as Status } from '../../shared/live/live-connection';
import { RESTART_CONSEQUENCES, startsAgain } from '../../shared/meeting/restart';
import { paths, publicUrl } from '../../shared/paths';
import { isTestName, TEST_MEETING } from '../../shared/test-data';
import { BusyButton } from '../../shared/ui/busy-button';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { MeetingStatusBadge } from '../../shared/ui/meeting-status-badge';
import { TestBadge } from '../../shared/ui/test-badge';
import { toast } from '../../shared/ui/toast';
import classes from './control-header.module.css';
import { DraftNote } from './invitations/draft-note';
import { useInvitationLink } from './mutations';
import { type OpenRound, OpenRoundWarning } from './question/open-round-warning';
import type { stepOrders } from './steps/step-commands';
import { StepNotice } from './steps/step-notice';
import type { Steps } from './steps/use-steps';

interface ControlHeaderProps {
  meeting: Meeting;
  hasQuestions: boolean;
  connection: Status;
  /** The state that the organizer sees. */
  step: number;
  steps: Steps;
  orders: ReturnType<typeof stepOrders>;
  /** The reason why the meeting was not started or ended. */
  refusal: string | null;
  openRound: OpenRound | null;
  /** What the end of the meeting leaves undone, in words. Null if nothing. */
  undone: string | null;
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

export function ControlHeader(props: ControlHeaderProps) {
  const { meeting, hasQuestions, connection, step, steps, orders, refusal, openRound, undone } = props;
  const [isEnding, ending] = useDisclosure(false);
  const [isRestarting, restarting] = useDisclosure(false);
  /** The number of the state on which the organizer decided to end or restart the meeting. */
  const [decidedStep, setDecidedStep] = useState(step);

  function handleEnd() {
    setDecidedStep(step);
    ending.open();
  }

  function handleStart() {
    if (!startsAgain(meeting)) {
      void steps.run(orders.begin(), step);
      return;
    }
    setDecidedStep(step);
    restarting.open();
  }

  return (
    <header className={classes.root}>
      <title>{`${meeting.title} · Plenum`}</title>
      <div className={classes.line}>
        <Link className={classes.back} to={paths.clientMeetings}>
          <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
          Meetings
        </Link>
        <ConnectionStatus status={connection} />
      </div>
      <div className={classes.main}>
        <Facts meeting={meeting} />
        <Group gap="xs">
          <Screens meetingId={meeting.id} />
          {meeting.status === 'ACTIVE' ? (
            <Button
              className={classes.end}
              variant="outline"
              color="var(--plenum-danger)"
              leftSection={<IconPlayerStop {...ICON} />}
              onClick={handleEnd}
            >
              End Meeting
            </Button>
          ) : (
            <StartButton
              status={meeting.status}
              disabled={!hasQuestions}
              isBusy={steps.underWay === 'begin'}
              onClick={handleStart}
            />
          )}
        </Group>
      </div>
      <DraftWarning status={meeting.status} />
      <StepNotice notice={refusal === null ? null : { tone: 'warning', text: refusal }} />
      <StepDialog
        opened={isRestarting}
        onClose={restarting.close}
        title="Start this meeting again?"
        confirmLabel="Start Again"
        step={() => steps.run(orders.begin(true), decidedStep)}
      >
        {RESTART_CONSEQUENCES}
      </StepDialog>
      <StepDialog
        opened={isEnding}
        onClose={ending.close}
        title="End this meeting?"
        confirmLabel="End Meeting"
        isDangerous
        step={() => steps.run(orders.finish(), decidedStep)}
      >
        <EndWords title={meeting.title} openRound={openRound} undone={undone} />
      </StepDialog>
    </header>
  );
}

/** What the end of the meeting does, and what it leaves undone. */
function EndWords({
  title,
  openRound,
  undone,
}: Pick<ControlHeaderProps, 'openRound' | 'undone'> & { title: string }) {
  return (
    <>
      <p>
        “{title}” ends for everyone. {openRound ? <OpenRoundWarning {...openRound} /> : null}
      </p>
      {undone === null ? null : <p>{undone}</p>}
    </>
  );
}

type StepDialogProps = Omit<ComponentProps<typeof ConfirmDialog>, 'onConfirm'> & {
  step: () => ReturnType<Steps['run']>;
};

/** Asks before a step of the meeting. If the step fails, the dialog stays open for another try. */
function StepDialog({ step, ...dialog }: StepDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={async () => {
        const outcome = await step();
        if (outcome === 'failed' || outcome === 'busy') {
          throw new Error('Nothing was changed: the dialog stays for another try.');
        }
      }}
    />
  );
}

interface StartButtonProps {
  status: Meeting['status'];
  disabled: boolean;
  isBusy: boolean;
  onClick: () => void;
}

function StartButton({ status, ...button }: StartButtonProps) {
  return (
    <BusyButton
      className={classes.end}
      variant={status === 'COMPLETED' || status === 'CANCELLED' ? 'default' : 'filled'}
      leftSection={<IconPlayerPlay {...ICON} />}
      busyLabel="Starting…"
      {...button}
    >
      Start Meeting
    </BusyButton>
  );
}

/** Title, status, start and description. */
function Facts({ meeting }: { meeting: Meeting }) {
  return (
    <div className={classes.text}>
      <h1 className={classes.title} dir="auto">
        {meeting.title}
      </h1>
      <p className={classes.facts}>
        <StatusAndMark meeting={meeting} />
        <span>Scheduled start {formatDateTime(meeting.scheduledStartTime)}</span>
      </p>
      {meeting.description ? <p className={classes.description}>{meeting.description}</p> : null}
    </div>
  );
}

/** The status, and the mark of a meeting that is test data. */
function StatusAndMark({ meeting }: { meeting: Meeting }) {
  const user = useUser();
  return (
    <>
      <MeetingStatusBadge status={meeting.status} />
      {meeting.isTest || isTestName(user?.clientName) ? (
        <>
          <TestBadge />
          <span>{TEST_MEETING}</span>
        </>
      ) : null}
    </>
  );
}

/** The links of a draft can be copied, but voters cannot use them yet. */
function DraftWarning({ status }: Pick<Meeting, 'status'>) {
  return status === 'DRAFT' ? (
    <div className={classes.draft}>
      <DraftNote />
    </div>
  ) : null;
}

/** The links to the meeting for other people. */
function Screens({ meetingId }: { meetingId: string }) {
  const invitationLink = useInvitationLink(meetingId);
  const presentationUrl = publicUrl(paths.presentation(meetingId));

  async function copy(url: string | Promise<string>, success: string) {
    try {
      if (await (typeof url === 'string' ? copyText(url) : copyComingText(url))) {
        toast.success(success);
      } else {
        toast.error(`Could not copy. The link is: ${await url}`);
      }
    } catch {
      // The request for the link failed and reported its error itself.
    }
  }

  /** Returns a loaded link at once, so that it is copied within the click: older ways of copying need that. */
  function invitationUrl(): string | Promise<string> {
    const urlOf = (body: { invitationLink: string }) => publicUrl(paths.invitation(body.invitationLink));
    return invitationLink.data
      ? urlOf(invitationLink.data)
      : invitationLink.mutateAsync(undefined).then(urlOf);
  }

  function handleOpen() {
    if (!window.open(presentationUrl, 'plenum-presentation', 'popup,width=1920,height=1080')) {
      toast.error('The browser blocked the window. Allow pop-ups here, or copy the presentation link.');
    }
  }

  return (
    <>
      <Button variant="default" leftSection={<IconExternalLink {...ICON} />} onClick={handleOpen}>
        Open Presentation
      </Button>
      <Button
        variant="default"
        leftSection={<IconCopy {...ICON} />}
        onClick={() => void copy(presentationUrl, 'Presentation link copied to clipboard')}
      >
        Copy Presentation Link
      </Button>
      <Button
        variant="default"
        leftSection={<IconCopy {...ICON} />}
        loading={invitationLink.isPending}
        onClick={() => void copy(invitationUrl(), 'Meeting invitation link copied to clipboard')}
      >
        Copy Invitation Link
      </Button>
    </>
  );
}
