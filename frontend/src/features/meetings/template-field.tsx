import { NativeSelect } from '@mantine/core';
import { type TemplateName, templateChoices, templateHint, templateValues } from './templates';
import type { MeetingForm } from './use-meeting-form';

/** The template of a new meeting: it brings a title, a quorum and questions, which can all be changed. */
export function TemplateField({ form }: { form: MeetingForm }) {
  return (
    <NativeSelect
      label="Template"
      description={templateHint(form.values.template)}
      data={templateChoices}
      value={form.values.template}
      onChange={(event) =>
        form.setValues(templateValues(event.currentTarget.value as TemplateName, form.values))
      }
    />
  );
}
