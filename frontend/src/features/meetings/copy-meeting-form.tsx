import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import type { Meeting } from '../../api/types';
import { filledUpTo } from '../../shared/form-checks';
import { paths } from '../../shared/paths';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useLeavePanel } from '../../shared/ui/use-leave-panel';
import { useMutationForm } from '../../shared/use-mutation-form';
import { copyTimes } from './copy-times';
import { localTime, toInstant } from './meeting-form';
import { useCopyMeeting } from './mutations';
import { ScheduleFields } from './schedule-fields';

const LONGEST_TITLE = 200;

const copySchema = z
  .object({
    title: filledUpTo(LONGEST_TITLE, 'Required'),
    scheduledStartTime: localTime(),
    scheduledEndTime: localTime(),
  })
  .check(
    z.refine(
      ({ scheduledStartTime, scheduledEndTime }) =>
        !scheduledStartTime || !scheduledEndTime || scheduledEndTime > scheduledStartTime,
      { path: ['scheduledEndTime'], error: 'The end must be after the start' },
    ),
  );

/** The title and the time of a copy. Everything else comes with it. */
export function CopyMeetingForm({ meeting }: { meeting: Meeting }) {
  const leave = useLeavePanel();
  const { form, panel } = useMutationForm({
    initialValues: initialValuesOf(meeting),
    schema: copySchema,
    mutation: useCopyMeeting(meeting.id),
    toBody: ({ title, scheduledStartTime, scheduledEndTime }) => ({
      title: title.trim(),
      scheduledStartTime: toInstant(scheduledStartTime),
      scheduledEndTime: toInstant(scheduledEndTime),
    }),
    failure: 'Failed to copy meeting',
    onSuccess: (copy) => {
      toast.success('Meeting copied successfully');
      leave(paths.meetingQuestions(copy.id));
    },
  });

  return (
    <PanelForm {...panel} submitLabel="Copy Meeting" busyLabel="Copying...">
      <p>
        The copy is a draft with the questions, decision rules, quorum and participants of “{meeting.title}”.
        Votes, results and the invitation link stay with the original.
      </p>
      <TextInput label="Meeting Title" required data-autofocus {...form.getInputProps('title')} />
      <ScheduleFields
        start={form.getInputProps('scheduledStartTime')}
        end={form.getInputProps('scheduledEndTime')}
      />
    </PanelForm>
  );
}

function initialValuesOf(meeting: Meeting) {
  return {
    title: [...`Copy of ${meeting.title}`].slice(0, LONGEST_TITLE).join(''),
    ...copyTimes(meeting),
  };
}
