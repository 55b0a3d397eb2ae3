import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './candidates-editor.module.css';
import {
  type CandidateField,
  type ElectionFields,
  type ListField,
  namedCandidates,
  newKey,
} from './election-form';

interface ListsEditorProps {
  election: ElectionFields;
  /** Messages by field of the election: "lists", "lists.0.name". */
  errors: Record<string, ReactNode>;
  onChange: (lists: ListField[]) => void;
}

/** The lists and their candidates. A candidate that is put on a list becomes its last one. */
export function ListsEditor({ election, errors, onChange }: ListsEditorProps) {
  const { lists } = election;
  const named = namedCandidates(election);
  const nameOf = (key: string) => named.find((candidate) => candidate.key === key)?.name ?? '';

  function change(key: string, changes: Partial<ListField>) {
    onChange(lists.map((list) => (list.key === key ? { ...list, ...changes } : list)));
  }

  function handlePlace(candidate: string, listKey: string) {
    onChange(
      lists.map((list) => {
        const others = list.candidates.filter((key) => key !== candidate);
        return { ...list, candidates: list.key === listKey ? [...others, candidate] : others };
      }),
    );
  }

  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>Lists</legend>
      <ol className={classes.list}>
        {lists.map((list, index) => (
          <li key={list.key} className={classes.candidate}>
            <TextInput
              className={classes.fields}
              aria-label={`Name of list ${index + 1}`}
              placeholder="Name of the list"
              description={list.candidates.map(nameOf).filter(Boolean).join(', ') || 'No candidates yet'}
              error={errors[`lists.${index}.name`] ?? errors[`lists.${index}.candidates`]}
              value={list.name}
              onChange={(event) => change(list.key, { name: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove list ${index + 1}`}
              onClick={() => onChange(lists.filter(({ key }) => key !== list.key))}
            >
              <IconTrash size={18} stroke={1.75} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <div className={classes.add}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => onChange([...lists, { key: newKey(), name: '', candidates: [] }])}
        >
          Add List
        </Button>
      </div>
      {lists.length > 0 ? <ListSelects candidates={named} lists={lists} onPlace={handlePlace} /> : null}
      {errors.lists ? (
        <p className={classes.error} role="alert">
          {errors.lists}
        </p>
      ) : null}
    </fieldset>
  );
}

interface ListSelectsProps {
  candidates: CandidateField[];
  lists: ListField[];
  /** The key of a list is empty for none. */
  onPlace: (candidate: string, list: string) => void;
}

/** The list of each candidate. */
function ListSelects({ candidates, lists, onPlace }: ListSelectsProps) {
  const options = lists.map(({ key, name }, index) => ({
    value: key,
    label: name.trim() || `List ${index + 1}`,
  }));
  return candidates.map(({ key, name }) => (
    <NativeSelect
      key={key}
      mt="xs"
      label={`List of ${name}`}
      data={[{ value: '', label: 'No list' }, ...options]}
      value={lists.find((list) => list.candidates.includes(key))?.key ?? ''}
      onChange={(event) => onPlace(key, event.currentTarget.value)}
    />
  ));
}
