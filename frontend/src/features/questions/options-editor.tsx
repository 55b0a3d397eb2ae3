import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
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

  function handleRemove(key: string) {
    if (options.length <= MIN_OPTIONS) {
      setRefusal('Minimum 2 options required');
      return;
    }
    change(options.filter((option) => option.key !== key));
  }

  function change(changed: OptionField[]) {
    setRefusal(null);
    onChange(changed);
  }

  return (
    <fieldset className={classes.root} aria-describedby={message ? errorId : undefined}>
      <legend className={classes.legend}>Options</legend>
      <ol className={classes.options}>
        {options.map((option, index) => (
          <li key={option.key} className={classes.option}>
            <span className={classes.mark} aria-hidden="true">
              {isMultipleChoice ? optionLetter(index) : index + 1}
            </span>
            <TextInput
              className={classes.field}
              aria-label={`Option ${index + 1}`}
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
                onClick={() => handleRemove(option.key)}
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
          onClick={() => change([...options, newOption(`Option ${options.length + 1}`)])}
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
