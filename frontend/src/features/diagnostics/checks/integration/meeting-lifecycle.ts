import { Lifecycle } from '../../../../shared/diagnostics/assembly/lifecycle';
import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { success } from '../../../../shared/diagnostics/run/finding';
import { Steps } from '../../../../shared/diagnostics/run/steps';

const STEPS = 13;

export const meetingLifecycle: Diagnostic = {
  name: 'Meeting Lifecycle',
  about:
    'Takes a meeting from the draft to its end: opening and clearing questions, votes, a declared result, a re-vote, and steps that must be refused.',
  run: async (run) => {
    const steps = new Steps(run, STEPS);
    const meeting = await steps.step('Create a draft with two questions and three voters', () =>
      Lifecycle.make(run),
    );
    await steps.step('A draft is invisible to voters', () => meeting.expectInvisible());
    await steps.step('Nothing can be opened before the start', () => meeting.tryToOpenTooEarly());
    await steps.step('Schedule it: voters see it', () => meeting.schedule());
    await steps.step('Start it', () => meeting.start());
    await steps.step('A meeting that runs cannot be deleted', () => meeting.tryToDelete());
    await steps.step('Open a question; a step based on an older state is refused', () => meeting.open());
    await steps.step('Vote; no tally is available while voting is open', () => meeting.vote());
    await steps.step('Clear the question; votes that come later are refused', () => meeting.clear());
    await steps.step('The tally matches the votes sent', () => meeting.compare());
    await steps.step('Declare the result; it cannot be opened again', () => meeting.declare());
    await steps.step('A re-vote needs a reason and keeps the first result', () => meeting.revote());
    await steps.step('End the meeting; questions and votes are then refused', () => meeting.end());
    return success(
      'A meeting went from the draft to its end. Every step worked, every step out of turn was refused, and both tallies match the votes sent.',
      { steps: steps.reports },
    );
  },
};
