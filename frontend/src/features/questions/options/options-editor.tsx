import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { OptionRole, QuestionType } from '../../../api/types';
import { optionLetter } from '../../../shared/question-types';
import { roleLabel } from '../../../shared/result/result-words';
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
 * The options of a yes/no or multiple choice question. The latter takes more of them; of the former each says what it
 * means for the decision, and an abstention can be added.
 */
export function OptionsEditor({ questionType, options, error, onChange }: OptionsEditorProps) {
  const errorId = useId();
  const [refusal, setRefusal] = useState<string | null>(null);
  const isMultipleChoice = questionType === 'MULTIPLE_CHOICE';
  const message = refusal ?? error;
  const roles = rolesOf(options);
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<number | null>(null);

  // After an option came or went the keyboard goes on in a field, not at the top of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks at the fields once they are drawn anew.
  useEffect(() => {
    const field = list.current?.querySelectorAll('input')[focusNext.current ?? -1];
    focusNext.current = null;
    field?.focus();
    field?.select();
  }, [options.length]);

  function handleRemove(index: number) {
    if (options.length <= MIN_OPTIONS) {
      setRefusal('Minimum 2 options required');
      return;
    }
    focusNext.current = Math.min(index, options.length - 2);
    change(options.filter((_, other) => other !== index));
  }

  function handleAdd(text: string) {
    focusNext.current = options.length;
    change([...options, newOption(text)]);
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
          <li key={option.key} className={classes.option}>
            <span className={classes.mark} aria-hidden="true">
              {isMultipleChoice ? optionLetter(index) : index + 1}
            </span>
            <TextInput
              className={classes.field}
              aria-label={`Option ${index + 1}`}
              error={error !== undefined}
              value={option.text}
              onChange={(event) => changeOption(option.key, { text: event.currentTarget.value })}
            />
            {isMultipleChoice ? null : (
              <NativeSelect
                className={classes.role}
                aria-label={`Meaning of option ${index + 1}`}
                data={ROLES.map((role) => ({ value: role, label: roleLabel(role) }))}
                value={roles[index] ?? 'choice'}
                onChange={(event) =>
                  changeOption(option.key, { role: event.currentTarget.value as OptionRole })
                }
              />
            )}
            {isMultipleChoice || options.length > MIN_OPTIONS ? (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove option ${index + 1}`}
                onClick={() => handleRemove(index)}
              >
                <IconTrash size={18} stroke={1.75} />
              </ActionIcon>
            ) : null}
          </li>
        ))}
      </ol>
      {isMultipleChoice ? (
        <AddButton label="Add Option" onAdd={() => handleAdd(`Option ${options.length + 1}`)} />
      ) : roles.includes('abstain') ? null : (
        <AddButton label="Add Abstain" onAdd={() => handleAdd('Abstain')} />
      )}
      {message ? (
        <p className={classes.error} id={errorId} role="alert">
          {message}
        </p>
      ) : null}
    </fieldset>
  );
}

function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Button
      className={classes.add}
      variant="default"
      size="xs"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={onAdd}
    >
      {label}
    </Button>
  );
}
