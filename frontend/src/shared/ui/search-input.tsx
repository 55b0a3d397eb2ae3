import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { lengthProblem } from '../text-length';

const PAUSE_MS = 250;
/** The limit of the server. */
const LONGEST = 200;

interface SearchInputProps {
  label: string;
  /** The current search, if it can change elsewhere ("back", a link, "Clear"). */
  value?: string;
  onSearch: (search: string) => void;
  /** Whether it has the focus at first: it stands where a button was pressed. */
  isFocused?: boolean;
}

/** Reports the search text when the typing pauses. */
export function SearchInput({ label, value = '', onSearch, isFocused = false }: SearchInputProps) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [known, setKnown] = useState(value);
  const send = useDebouncedCallback((search: string) => {
    setSent(search);
    onSearch(search);
  }, PAUSE_MS);

  if (value !== known) {
    setKnown(value);
    // A text that this input sent returns while the typing may go on. Any other text was set elsewhere.
    if (value !== sent) {
      setSent(value);
      setText(value);
      send.cancel();
    }
  }

  const problem = lengthProblem(text, LONGEST);

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      autoFocus={isFocused}
      error={problem}
      errorProps={{ role: 'alert' }}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden="true" />}
      value={text}
      onKeyDown={(event) => {
        // In a form, Enter must not submit the form.
        if (event.key === 'Enter') {
          event.preventDefault();
          send.flush();
        }
      }}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        if (lengthProblem(typed, LONGEST) === null) {
          send(typed.trim());
        } else {
          send.cancel();
        }
      }}
    />
  );
}
