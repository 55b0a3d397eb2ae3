import type { ReactNode } from 'react';

/** The texts of a question before something is lost. */
export interface LossQuestion {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
}
