import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { fieldErrorsOf, formErrorOf } from '../api/api-error';
import { useRefusedFields } from './use-refused-fields';

interface MutationFormOptions<Values, Body, Answer> {
  initialValues: Values;
  schema: Parameters<typeof schemaResolver>[0];
  mutation: UseMutationResult<Answer, Error, Body>;
  toBody: (values: Values) => Body;
  /** Moves the server's errors to the paths of the form, if their paths differ. */
  placed?: (errors: Record<string, string>) => Record<string, string>;
  /** The message for errors that belong to no field and have no explanation from the server. */
  failure: string;
  onSuccess: (answer: Answer) => void;
}

interface MutationForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** For `PanelForm`. */
  panel: {
    onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
    isBusy: boolean;
    isDirty: boolean;
    error: string | null;
  };
}

/** A form that sends its values to the server, and shows the server's errors at their fields. */
export function useMutationForm<Values extends Record<string, unknown>, Body, Answer>(
  options: MutationFormOptions<Values, Body, Answer>,
): MutationForm<Values> {
  const { initialValues, schema, mutation, toBody, placed = unmoved, failure, onSuccess } = options;
  const form = useForm<Values>({ initialValues, validate: schemaResolver(schema, { sync: true }) });
  const refused = useRefusedFields(form);

  const onSubmit = form.onSubmit((values) => {
    mutation.mutate(toBody(values), {
      onSuccess,
      onError: (error) => refused.refuse(placed(fieldErrorsOf(error))),
    });
  }, refused.merge);

  const shown = { ...form.values, ...movedErrors(fieldErrorsOf(mutation.error), placed) };

  return {
    form,
    panel: {
      onSubmit,
      isBusy: mutation.isPending,
      isDirty: form.isDirty(),
      error: mutation.isError ? formErrorOf(mutation.error, failure, shown) : null,
    },
  };
}

function unmoved(errors: Record<string, string>): Record<string, string> {
  return errors;
}

/** The server's errors that were moved to a field. */
function movedErrors(
  errors: Record<string, string>,
  placed: NonNullable<MutationFormOptions<unknown, unknown, unknown>['placed']>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).filter(([path, message]) => !(path in placed({ [path]: message }))),
  );
}
