import { NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import { PanelForm } from '../../shared/ui/panel-form';
import { TextLink } from '../../shared/ui/text-link';
import { toast } from '../../shared/ui/toast';
import { useLeavePanel } from '../../shared/ui/use-leave-panel';
import { WarningNote } from '../../shared/ui/warning-note';
import { useMutationForm } from '../../shared/use-mutation-form';
import { endUserQueries } from '../end-users/queries';
import { useQuickVote } from './mutations';
import { emptyQuickVote, presets, quickVoteSchema } from './quick-vote-body';

/** From a question to open voting: one question, its answers, one button. */
export function QuickVoteForm() {
  const leave = useLeavePanel();
  const active = useQuery(endUserQueries.stats()).data?.active;
  const { form, panel } = useMutationForm({
    initialValues: emptyQuickVote,
    schema: quickVoteSchema,
    mutation: useQuickVote(),
    toBody: (values) => values,
    placeOf,
    failure: 'Failed to start the quick vote',
    onSuccess: ({ meetingId, openingError }) => {
      if (openingError === null) {
        toast.success('Voting is open');
      } else {
        toast.failure(
          openingError,
          'The meeting runs, but its voting did not open. Start the question here.',
        );
      }
      leave(paths.meetingControl(meetingId), { replace: true });
    },
  });

  return (
    <PanelForm {...panel} submitLabel="Open Voting" busyLabel="Opening...">
      {active === 0 ? (
        <WarningNote>
          Nobody can vote yet: there are no active end users.{' '}
          <TextLink to={paths.clientEndUsers}>Add people</TextLink>
        </WarningNote>
      ) : null}
      <Textarea
        label="Question"
        placeholder="Enter your question..."
        autosize
        minRows={3}
        maxRows={10}
        required
        data-autofocus
        {...form.getInputProps('questionText')}
      />
      <NativeSelect
        label="Answers"
        description={descriptionOf(form.values.preset, active)}
        data={presets}
        {...form.getInputProps('preset')}
      />
      {form.values.preset === 'choice' ? (
        <Textarea
          label="Options"
          description="One a line. A voter chooses one of them."
          autosize
          minRows={3}
          maxRows={12}
          required
          {...form.getInputProps('options')}
        />
      ) : null}
    </PanelForm>
  );
}

/** The title is the first line of the question. */
function placeOf(path: string): string | null {
  return path === 'title' ? 'questionText' : null;
}

function descriptionOf(preset: string, active: number | undefined): string {
  const people = active === undefined ? 'Everybody' : `All ${formatNumber(active)} active end users`;
  return preset === 'yes_no' || preset === 'yes_no_abstain'
    ? `${people} may vote. A simple majority decides.`
    : `${people} may vote. The answers are counted, and nothing is decided.`;
}
