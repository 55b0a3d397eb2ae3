import { useMutation } from '@tanstack/react-query';
import { publicApi, unwrap } from '../../api/client';

/** Sends a file unchanged. The server stores nothing of it. */
export function useFileCheck() {
  return useMutation({
    mutationFn: async (file: File) => {
      const content = await file.arrayBuffer();
      const answer = await unwrap(
        publicApi.POST('/public/verify', {
          // The schema describes bytes only as a text or numbers.
          body: content as never,
          bodySerializer: () => content,
          headers: { 'Content-Type': 'application/octet-stream' },
        }),
      );
      return answer.data;
    },
  });
}
