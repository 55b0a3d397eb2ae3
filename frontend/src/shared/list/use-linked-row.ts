import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

const PARAM = 'edit';

/** The id in the address of the row to edit; null without one. */
export function useLinkedId(): string | null {
  const [params] = useSearchParams();
  return params.get(PARAM);
}

interface LinkedRow<Row> {
  data: Row | undefined;
  error: Error | null;
}

/** Opens the form of a row from the id in the address, as links lead to it. The id is then removed. */
export function useLinkedRow<Row>(
  { data, error }: LinkedRow<Row>,
  { onFound, onFailed }: { onFound: (row: Row) => void; onFailed: (error: Error) => void },
): void {
  const [params, setParams] = useSearchParams();
  const id = params.get(PARAM);
  const latest = useRef({ onFound, onFailed, setParams });
  latest.current = { onFound, onFailed, setParams };

  useEffect(() => {
    if (id === null || (!data && !error)) {
      return;
    }
    if (data) {
      latest.current.onFound(data);
    } else if (error) {
      latest.current.onFailed(error);
    }
    latest.current.setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(PARAM);
        return next;
      },
      { replace: true },
    );
  }, [id, data, error]);
}
