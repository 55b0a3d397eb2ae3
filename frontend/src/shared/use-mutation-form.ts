import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf, formErrorOf } from '../api/api-error';
import { useRefusedFields } from './use-refused-fields';

interface MutationFormOptions<Values, Body, Answer> {
  initialValues: Values;
  schema: Parameters<typeof schemaResolver>[0];
  mutation: UseMutationResult<Answer, Error, Body>;
  toBody: (values: Values) => Body;
  /** The path in the form of a server's error inside a value of those sent; null without a field for it. */
  placeOf?: (path: string, sent: Values) => string | null;
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
  const { initialValues, schema, mutation, toBody, placeOf = nowhere, failure, onSuccess } = options;
  const form = useForm<Values>({ initialValues, validate: schemaResolver(schema, { sync: true }) });
  const refused = useRefusedFields(form);
  const [sent, setSent] = useState(initialValues);

  const onSubmit = form.onSubmit((values) => {
    setSent(values);
    mutation.mutate(toBody(values), {
      onSuccess,
      onError: (error) => refused.refuse(placed(fieldErrorsOf(error), (path) => placeOf(path, values))),
    });
  }, refused.merge);

  const inside = placedInside(fieldErrorsOf(mutation.error), (path) => placeOf(path, sent));
  const shown = { ...form.values, ...inside };

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

function nowhere(): null {
  return null;
}

type PlaceOf = (path: string) => string | null;

/** The server's errors by the paths of the form. */
function placed(errors: Record<string, string>, placeOf: PlaceOf): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [placeOf(path) ?? path, message]),
  );
}

/** The server's errors inside of values that have a field. */
function placedInside(errors: Record<string, string>, placeOf: PlaceOf): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => placeOf(path) !== null));
}
