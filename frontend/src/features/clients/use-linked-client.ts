import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { Client } from '../../api/types';
import { toast } from '../../shared/ui/toast';
import { clientQueries } from './queries';

const PARAM = 'edit';

/** Other screens lead straight to the form of a client: its id in the address opens it once, and is then taken out. */
export function useLinkedClient(onFound: (client: Client) => void): void {
  const [params, setParams] = useSearchParams();
  const clientId = params.get(PARAM);
  const { data, error } = useQuery({ ...clientQueries.one(clientId ?? ''), enabled: clientId !== null });
  const latest = useRef({ onFound, setParams });
  latest.current = { onFound, setParams };

  useEffect(() => {
    if (clientId === null || (!data && !error)) {
      return;
    }
    if (data) {
      latest.current.onFound(data);
    } else {
      toast.failure(error, 'Failed to fetch client');
    }
    latest.current.setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(PARAM);
        return next;
      },
      { replace: true },
    );
  }, [clientId, data, error]);
}
