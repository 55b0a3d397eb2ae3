import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { Client } from '../../api/types';
import { toast } from '../../shared/ui/toast';
import { clientQueries } from './queries';

const PARAM = 'edit';

/** Opens the form of a client from the id in the address, as other screens link to it. The id is then removed. */
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
