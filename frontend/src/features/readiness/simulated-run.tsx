import { Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LiveState } from '../../api/types';
import { useUser } from '../../api/use-session';
import { BusyButton } from '../../shared/ui/busy-button';
import { Card } from '../../shared/ui/card';
import { toast } from '../../shared/ui/toast';
import { WarningNote } from '../../shared/ui/warning-note';
import { readinessQueries } from './queries';
import classes from './readiness.module.css';
import { SimulatedResult } from './simulated-result';
import { useSimulation } from './simulation';
import { SimulationProgress } from './simulation-progress';

const VOTERS = [25, 50, 100, 200];

interface SimulatedRunProps {
  meetingId: string;
  state: LiveState;
  /** The number of people who may vote in the meeting; undefined while it loads. */
  invited: number | undefined;
}

/** A simulated run with generated voters, against this server. */
export function SimulatedRun({ meetingId, state, invited }: SimulatedRunProps) {
  const user = useUser();
  return (
    <Card
      title="Simulated Run"
      description="Made-up voters sign in, open a test meeting and vote as fast as they can, on this server and over this network. Nobody else sees any of it, and it is deleted afterwards."
    >
      {user ? <Simulating meetingId={meetingId} state={state} invited={invited} user={user} /> : null}
    </Card>
  );
}

interface SimulatingProps extends SimulatedRunProps {
  user: NonNullable<ReturnType<typeof useUser>>;
}

function Simulating({ meetingId, state, invited, user }: SimulatingProps) {
  const queryClient = useQueryClient();
  const simulation = useSimulation(user, meetingId);
  const openVotes = useQuery(readinessQueries.openVotes());
  const [voters, setVoters] = useState(VOTERS[1] ?? 0);
  const [isChecking, setIsChecking] = useState(false);
  const { isStopping, running } = simulation.state;
  const isRunning = running !== null;
  const voting = isVotingHere(state) ? [state.title] : (openVotes.data ?? []);

  useStopForVoting(voting, isRunning && !isStopping, simulation.stop);

  async function handleStart() {
    setIsChecking(true);
    try {
      // The current state: the polled one may be some seconds old.
      const open = await queryClient.fetchQuery({ ...readinessQueries.openVotes(), staleTime: 0 });
      if (open.length === 0) {
        simulation.start(voters, invited || voters);
      }
    } catch (error) {
      toast.failure(error, 'Failed to start the simulated run');
    } finally {
      setIsChecking(false);
    }
  }

  return (
    <div className={classes.part}>
      <div className={classes.steps}>
        <NativeSelect
          label="Voters"
          className={classes.voters ?? ''}
          value={String(voters)}
          data={VOTERS.map(String)}
          disabled={isRunning}
          onChange={(event) => setVoters(Number(event.currentTarget.value))}
        />
        {/* One button for both actions, so that the focus is not lost. */}
        {voting.length > 0 && !isRunning ? (
          <Button disabled aria-describedby="simulation-obstacle">
            Start Simulated Run
          </Button>
        ) : (
          <BusyButton
            variant={isRunning ? 'default' : 'filled'}
            isBusy={isChecking || isStopping || invited === undefined}
            busyLabel={isStopping ? 'Stopping...' : isChecking ? 'Starting...' : 'Start Simulated Run'}
            onClick={() => (isRunning ? simulation.stop() : void handleStart())}
          >
            {isRunning ? 'Stop' : 'Start Simulated Run'}
          </BusyButton>
        )}
      </div>
      {voting.length > 0 && !isRunning ? (
        <WarningNote id="simulation-obstacle">
          Not now: voting is open in {voting.map((title) => `“${title}”`).join(' and ')}. A simulated run
          takes all that the server has, and would make real voters wait. Start it when voting has ended.
        </WarningNote>
      ) : state.status === 'ACTIVE' && !isRunning ? (
        <WarningNote>
          This meeting is running. A simulated run may make real voters wait. Run it the day before. It stops
          by itself when voting is opened.
        </WarningNote>
      ) : null}
      {isRunning ? <SimulationProgress state={simulation.state} /> : null}
      {simulation.result ? <SimulatedResult entry={simulation.result} /> : null}
    </div>
  );
}

function isVotingHere({ currentQuestion }: LiveState): boolean {
  return currentQuestion?.isActive === true;
}

/** Stops the run as soon as voting was opened, because real voters come first. */
function useStopForVoting(voting: string[], isRunning: boolean, stop: () => void) {
  const wasAnnounced = useRef(false);
  const isVoting = voting.length > 0;
  const handleVoting = useEffectEvent(() => {
    if (!wasAnnounced.current) {
      wasAnnounced.current = true;
      toast.info(`The simulated run was stopped: voting was opened in “${voting.join('”, “')}”.`);
      stop();
    }
  });
  useEffect(() => {
    if (isVoting && isRunning) {
      handleVoting();
    } else {
      wasAnnounced.current = false;
    }
  }, [isVoting, isRunning]);
}
