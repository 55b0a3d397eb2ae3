import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { type CodeQuery, clientQueries } from './queries';

const WAIT_MS = 300;

interface CodeFieldProps {
  /** The typed name of a new client, for a suggestion. */
  name?: string;
  /** The client that has a code already. */
  owner?: { id: string; clientCode: string };
  code: string;
  /** Of the form: value, error, handlers. */
  input: ComponentProps<typeof TextInput>;
}

/** The organization code, with a preview as voters read it, and a check while it is typed. */
export function CodeField({ name = '', owner, code, input }: CodeFieldProps) {
  const [typed] = useDebouncedValue(queryOf(name, code, owner?.id), WAIT_MS, { leading: false });
  const isOwn = owner !== undefined && typed.code?.toLowerCase() === owner.clientCode;
  const isAsked = !isOwn && (typed.code !== undefined || typed.name !== undefined);
  const check = useQuery({ ...clientQueries.codeCheck(typed), enabled: isAsked });
  const isCurrent = typed.code === (code.trim() || undefined);
  const found = isAsked && isCurrent ? check.data : undefined;

  return (
    <div>
      <TextInput
        label={owner ? 'Organization Code' : 'Organization Code (optional)'}
        description="What voters type to find this client. Capitals make no difference."
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...input}
        error={input.error ?? found?.message}
      />
      <Text size="sm" c="dimmed" mt={4} mih="1.5em" aria-live="polite">
        {previewOf({ code: code.trim(), suggestion: found?.suggestion, isFree: found?.isFree, owner })}
      </Text>
    </div>
  );
}

function queryOf(name: string, code: string, clientId: string | undefined): CodeQuery {
  return {
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(code.trim() ? { code: code.trim() } : {}),
    ...(clientId ? { clientId } : {}),
  };
}

interface Preview {
  code: string;
  suggestion: string | null | undefined;
  isFree: boolean | null | undefined;
  owner: CodeFieldProps['owner'];
}

function previewOf({ code, suggestion, isFree, owner }: Preview): string {
  const free = suggestion ? `${suggestion.toUpperCase()} is free.` : '';
  if (code === '') {
    return suggestion && !owner ? `Left empty, it becomes ${suggestion.toUpperCase()}.` : '';
  }
  if (isFree === false) {
    return free;
  }
  const preview = `On screens and slips: ${code.toUpperCase()}.`;
  if (owner && owner.clientCode !== code.toLowerCase()) {
    return `${preview} ${owner.clientCode.toUpperCase()} still leads here: slips, links and QR codes keep working.`;
  }
  return isFree && !owner ? `${preview} It is free.` : preview;
}
