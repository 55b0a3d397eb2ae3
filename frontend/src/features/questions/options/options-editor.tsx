import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { OptionRole, QuestionType } from '../../../api/types';
import { optionLetter } from '../../../shared/question-types';
import { roleLabel } from '../../../shared/result/result-words';
import { useFocusOfRow } from '../../../shared/use-focus-of-row';
import { MIN_OPTIONS, newOption, type OptionField, rolesOf } from '../question-form';
import classes from './options-editor.module.css';

const ROLES: OptionRole[] = ['yes', 'no', 'abstain', 'choice'];

interface OptionsEditorProps {
  questionType: QuestionType;
  options: OptionField[];
  error?: string;
  onChange: (options: OptionField[]) => void;
}

/**
 * The options of a yes/no or multiple choice question. A multiple choice question allows more of them. In a yes/no
 * question each option has a meaning for the decision. An abstention can be added to both: it elects nobody.
 */
export function OptionsEditor({ questionType, options, error, onChange }: OptionsEditorProps) {
  const errorId = useId();
  const [refusal, setRefusal] = useState<string | null>(null);
  const isMultipleChoice = questionType === 'MULTIPLE_CHOICE';
  const message = refusal ?? error;
  const roles = rolesOf({ questionType, options });
  const { list, focusNext } = useFocusOfRow(options.length, 'input');

  function handleRemove(index: number) {
    if (options.length <= MIN_OPTIONS) {
      setRefusal('Minimum 2 options required');
      return;
    }
    focusNext.current = Math.min(index, options.length - 2);
    change(options.filter((_, other) => other !== index));
  }

  function handleAdd(option: OptionField) {
    focusNext.current = options.length;
    change([...options, option]);
  }

  function changeOption(key: string, changes: Partial<OptionField>) {
    change(options.map((option) => (option.key === key ? { ...option, ...changes } : option)));
  }

  function change(changed: OptionField[]) {
    setRefusal(null);
    onChange(changed);
  }

  return (
    <fieldset className={classes.root} aria-describedby={message ? errorId : undefined}>
      <legend className={classes.legend}>Options</legend>
      <ol ref={list} className={classes.options}>
        {options.map((option, index) => (
          <OptionRow
            key={option.key}
            option={option}
            number={index + 1}
            mark={isMultipleChoice ? optionLetter(index) : `${index + 1}`}
            role={roles[index] ?? 'choice'}
            hasOwnMeaning={!isMultipleChoice}
            isWrong={error !== undefined}
            onChange={(changes) => changeOption(option.key, changes)}
            onRemove={isMultipleChoice || options.length > MIN_OPTIONS ? () => handleRemove(index) : null}
          />
        ))}
      </ol>
      <div className={classes.add}>
        {isMultipleChoice ? (
          <AddButton label="Add Option" onAdd={() => handleAdd(newOption(`Option ${options.length + 1}`))} />
        ) : null}
        {roles.includes('abstain') ? null : (
          <AddButton
            label="Add Abstain"
            onAdd={() => handleAdd(newOption('Abstain', isMultipleChoice ? 'abstain' : null))}
          />
        )}
      </div>
      {message ? (
        <p className={classes.error} id={errorId} role="alert">
          {message}
        </p>
      ) : null}
    </fieldset>
  );
}

interface OptionRowProps {
  option: OptionField;
  number: number;
  mark: string;
  /** The meaning of the option for the decision. */
  role: OptionRole;
  /** Whether the organizer chooses the meaning. Otherwise only an abstention differs from the others. */
  hasOwnMeaning: boolean;
  isWrong: boolean;
  onChange: (changes: Partial<OptionField>) => void;
  /** Null if the option cannot be removed. */
  onRemove: (() => void) | null;
}

function OptionRow(props: OptionRowProps) {
  const { option, number, mark, role, hasOwnMeaning, isWrong, onChange, onRemove } = props;
  return (
    <li className={classes.option}>
      <span className={classes.mark} aria-hidden="true">
        {mark}
      </span>
      <TextInput
        className={classes.field}
        aria-label={`Option ${number}`}
        error={isWrong}
        value={option.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      {!hasOwnMeaning ? (
        role === 'abstain' ? (
          <span className={classes.note}>Elects nobody</span>
        ) : null
      ) : (
        <NativeSelect
          className={classes.role}
          aria-label={`Meaning of option ${number}`}
          data={ROLES.map((value) => ({ value, label: roleLabel(value) }))}
          value={role}
          onChange={(event) => onChange({ role: event.currentTarget.value as OptionRole })}
        />
      )}
      {onRemove ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Remove option ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={18} stroke={1.75} />
        </ActionIcon>
      ) : null}
    </li>
  );
}

function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={onAdd}
    >
      {label}
    </Button>
  );
}
