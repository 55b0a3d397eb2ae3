import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { QuestionType } from '../../api/types';
import { optionLetter } from '../../shared/question-types';
import classes from './options-editor.module.css';
import { MIN_OPTIONS, newOption, type OptionField } from './question-form';

interface OptionsEditorProps {
  questionType: QuestionType;
  options: OptionField[];
  error?: string;
  onChange: (options: OptionField[]) => void;
}

/** The options of a yes/no or multiple choice question: only the latter takes more of them. */
export function OptionsEditor({ questionType, options, error, onChange }: OptionsEditorProps) {
  const errorId = useId();
  const [refusal, setRefusal] = useState<string | null>(null);
  const isMultipleChoice = questionType === 'MULTIPLE_CHOICE';
  const message = refusal ?? error;
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
    change(options.toSpliced(index, 1));
  }

  function handleAdd() {
    focusNext.current = options.length;
    change([...options, newOption(`Option ${options.length + 1}`)]);
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
              onChange={(event) => {
                const text = event.currentTarget.value;
                change(options.map((other) => (other.key === option.key ? { ...other, text } : other)));
              }}
            />
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
        <Button
          className={classes.add}
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
          onClick={handleAdd}
        >
          Add Option
        </Button>
      ) : null}
      {message ? (
        <p className={classes.error} id={errorId} role="alert">
          {message}
        </p>
      ) : null}
    </fieldset>
  );
}
