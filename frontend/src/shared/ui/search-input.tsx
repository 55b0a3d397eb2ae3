import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { lengthProblem } from '../text-length';

const PAUSE_MS = 250;
/** As the server takes it. */
const LONGEST = 200;

interface SearchInputProps {
  label: string;
  /** What is searched for, where somebody else can change it ("back", a link, "Clear"). */
  value?: string;
  onSearch: (search: string) => void;
}

/** Reports the search text once the typing pauses. */
export function SearchInput({ label, value = '', onSearch }: SearchInputProps) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [known, setKnown] = useState(value);
  const send = useDebouncedCallback((search: string) => {
    setSent(search);
    onSearch(search);
  }, PAUSE_MS);

  if (value !== known) {
    setKnown(value);
    // A text that this input sent comes back while the typing may go on; any other was changed elsewhere.
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
      error={problem}
      errorProps={{ role: 'alert' }}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden="true" />}
      value={text}
      onKeyDown={(event) => {
        // Inside a form, Enter must not send the form.
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
