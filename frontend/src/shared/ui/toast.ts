import { notifications } from '@mantine/notifications';

const DURATION_MS = 4000;

type Tone = 'success' | 'error' | 'info';

const COLOR: Record<Tone, string> = {
  success: 'var(--plenum-good)',
  error: 'var(--plenum-danger)',
  info: 'var(--plenum-info)',
};

function show(tone: Tone, message: string): void {
  notifications.show({
    message,
    color: COLOR[tone],
    autoClose: DURATION_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}

/** Short messages in the corner; Mantine gives each the role "alert", so screen readers say them. */
export const toast = {
  success: (message: string) => show('success', message),
  error: (message: string) => show('error', message),
  info: (message: string) => show('info', message),
};
