import { NativeSelect } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ElectionMethod } from '../../../shared/elections/election-types';
import { methodName, methodSentence } from '../../../shared/elections/method-names';
import { ELECTION_METHODS } from '../../../shared/elections/methods';
import { errorsUnder } from '../../../shared/terms/terms-errors';
import { FormError } from '../../../shared/ui/form-error';
import { NumberField } from '../../../shared/ui/number-field';
import { CandidatesEditor } from './candidates-editor';
import { canElectAll, type ElectionFields, seatsRule, withMethod } from './election-form';
import { ListsEditor } from './lists-editor';
import { MoreSettings } from './more-settings';

interface ElectionEditorProps {
  election: ElectionFields;
  /** All messages of the form, by the server's paths. */
  errors: Record<string, ReactNode>;
  onChange: (election: ElectionFields) => void;
}

/** The candidates, the method and the seats of an election. */
export function ElectionEditor({ election, errors, onChange }: ElectionEditorProps) {
  const own = errorsUnder(errors, 'decisionRule.election');
  const latest = useRef(election);
  useEffect(() => {
    latest.current = election;
  });
  // The candidates of a file arrive while other fields may be changed, at the function of an earlier rendering.
  const change = (changes: Partial<ElectionFields>) => onChange({ ...latest.current, ...changes });
  const isAllPossible = canElectAll(election.method);
  return (
    <>
      <CandidatesEditor
        candidates={election.candidates}
        pasted={election.pasted}
        error={errors.options ?? own.candidates}
        errors={errors}
        onChange={change}
      />
      <NativeSelect
        label="Method"
        description={methodSentence(election.method, election.seats.trim() !== '')}
        data={ELECTION_METHODS.map((method) => ({ value: method, label: methodName(method) }))}
        value={election.method}
        error={own.method}
        onChange={(event) => onChange(withMethod(election, event.currentTarget.value as ElectionMethod))}
      />
      <NumberField
        label="Seats"
        description={
          isAllPossible
            ? 'How many persons are elected. Left empty, everybody who meets the conditions.'
            : 'How many persons are elected.'
        }
        placeholder={isAllPossible ? 'Everybody who qualifies' : ''}
        rule={seatsRule(election)}
        value={election.seats}
        error={own.seats}
        onChange={(seats) => change({ seats })}
      />
      {election.method === 'lists' ? (
        <ListsEditor election={election} errors={own} onChange={(lists) => change({ lists })} />
      ) : null}
      <MoreSettings election={election} errors={own} onChange={onChange} />
      <FormError message={textOf(errors['decisionRule.election'])} />
    </>
  );
}

function textOf(message: ReactNode): string | null {
  return typeof message === 'string' ? message : null;
}
