import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { isTestName, TEST_PERSON } from '../../shared/test-data';
import { NumberField } from '../../shared/ui/number-field';
import { WarningNote } from '../../shared/ui/warning-note';
import { type CreateEndUserFormValues, weightRule } from './end-user-form';

type SharedField = 'name' | 'username' | 'email' | 'weight' | 'address';

interface EndUserFieldsProps {
  inputProps: (field: SharedField) => ReturnType<UseFormReturnType<CreateEndUserFormValues>['getInputProps']>;
  /** The fields of the kinds of weight. */
  children: ReactNode;
}

/** The fields of a new end user and of a changed one. */
export function EndUserFields({ inputProps, children }: EndUserFieldsProps) {
  const isTest = isTestName(inputProps('name').value) || isTestName(inputProps('username').value);
  return (
    <>
      <TextInput label="Full Name" required autoComplete="off" data-autofocus {...inputProps('name')} />
      <TextInput
        label="Username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...inputProps('username')}
      />
      {isTest ? (
        <div role="status">
          <WarningNote>{TEST_PERSON}</WarningNote>
        </div>
      ) : null}
      <TextInput type="email" label="Email (optional)" autoComplete="off" {...inputProps('email')} />
      <NumberField
        label="Voting Weight"
        description="Voting power (0-100, default 1.0)"
        required
        rule={weightRule}
        {...inputProps('weight')}
      />
      {children}
      <Textarea label="Address (optional)" autosize minRows={2} maxRows={5} {...inputProps('address')} />
    </>
  );
}
