import { Checkbox, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { ProxySettings } from '../../api/types';
import { type NumberRule, numberOf, numberProblem } from '../../shared/number-text';
import { FreshData } from '../../shared/ui/fresh-data';
import { NumberField } from '../../shared/ui/number-field';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useMutationForm } from '../../shared/use-mutation-form';
import { useChangeProxySettings } from './mutations';
import { proxyQueries } from './queries';

const countRule: NumberRule = {
  least: 1,
  most: 100_000,
  decimals: 0,
  wanted: 'Must be a whole number of at least 1.',
};
const weightRule: NumberRule = {
  least: 0.000_001,
  most: 1_000_000_000_000,
  decimals: 6,
  wanted: 'Must be a number above 0 with at most 6 decimals.',
};
const shareRule: NumberRule = {
  least: 0.01,
  most: 100,
  decimals: 2,
  wanted: 'Must be a number above 0 and at most 100, with at most 2 decimals.',
};

const limit = (rule: NumberRule) =>
  z.string().check(z.refine((text) => numberProblem(text, rule) === null, { error: rule.wanted }));

const schema = z.object({
  isOn: z.boolean(),
  principalsMayGrant: z.boolean(),
  maxPrincipals: limit(countRule),
  maxWeight: limit(weightRule),
  maxSharePercent: limit(shareRule),
  holders: z.enum(['PARTICIPANTS', 'ANYBODY']),
  questionsWithout: z.array(z.string()),
});

type Values = z.infer<typeof schema>;

const typed = (number: number | null) => (number === null ? '' : String(number));
const read = (text: string, rule: NumberRule) => (text.trim() === '' ? null : numberOf(text, rule));

function toBody(values: Values): ProxySettings {
  return {
    ...values,
    maxPrincipals: read(values.maxPrincipals, countRule),
    maxWeight: read(values.maxWeight, weightRule),
    maxSharePercent: read(values.maxSharePercent, shareRule),
  };
}

interface SettingsFormProps {
  meetingId: string;
  questions: { id: string; questionText: string }[];
  onDone: () => void;
}

/**
 * The settings of a meeting's proxies: who may grant and hold them, and how many. All are saved together, so the form
 * starts from what the server has at this moment.
 */
export function SettingsForm(props: SettingsFormProps) {
  const query = useQuery({ ...proxyQueries.settings(props.meetingId), staleTime: 0 });
  return (
    <FreshData query={query} loadingText="Loading the settings..." errorText="Failed to load the settings">
      {(settings) => <SettingsEditor {...props} settings={settings} />}
    </FreshData>
  );
}

interface SettingsEditorProps extends SettingsFormProps {
  settings: ProxySettings;
}

function SettingsEditor({ meetingId, settings, questions, onDone }: SettingsEditorProps) {
  const { form, panel } = useMutationForm<Values, ProxySettings, unknown>({
    initialValues: {
      ...settings,
      maxPrincipals: typed(settings.maxPrincipals),
      maxWeight: typed(settings.maxWeight),
      maxSharePercent: typed(settings.maxSharePercent),
    },
    schema,
    mutation: useChangeProxySettings(meetingId),
    toBody,
    failure: 'Failed to save the settings',
    onSuccess: () => {
      toast.success('Settings saved. They take effect at the next opening.');
      onDone();
    },
  });
  return (
    <PanelForm {...panel} submitLabel="Save settings" busyLabel="Saving...">
      <Checkbox label="Votes can be cast by proxy" {...form.getInputProps('isOn', { type: 'checkbox' })} />
      <Checkbox
        label="Principals can grant proxies on their own device"
        {...form.getInputProps('principalsMayGrant', { type: 'checkbox' })}
      />
      <Radio.Group label="Who can hold proxies" {...form.getInputProps('holders')}>
        <Stack gap="xs" mt="xs">
          <Radio value="PARTICIPANTS" label="People who may vote in this meeting" />
          <Radio value="ANYBODY" label="Every active end user" />
        </Stack>
      </Radio.Group>
      <NumberField
        label="Maximum principals per holder"
        description="Empty means no limit"
        rule={countRule}
        {...form.getInputProps('maxPrincipals')}
      />
      <NumberField
        label="Maximum weight per holder"
        description="Empty means no limit"
        rule={weightRule}
        {...form.getInputProps('maxWeight')}
      />
      <NumberField
        label="Largest share of the whole weight, in percent"
        description="Empty means no limit"
        rule={shareRule}
        {...form.getInputProps('maxSharePercent')}
      />
      {questions.length > 0 ? (
        <Checkbox.Group
          label="Questions without proxies"
          description="On these questions nobody can vote for somebody else."
          {...form.getInputProps('questionsWithout')}
        >
          <Stack gap="xs" mt="xs">
            {questions.map(({ id, questionText }) => (
              <Checkbox key={id} value={id} label={questionText} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : null}
    </PanelForm>
  );
}
