import { createContext } from 'react';
import type { LossQuestion } from './loss-question';

/** The connection between a panel and what is in it, such as a `PanelForm`. */
export interface Panel {
  /** Closes the panel; asks first if something would be lost. */
  requestClose: () => void;
  /** Reports whether closing loses something, and the question to ask if that is not a form's changes. */
  reportDirty: (isDirty: boolean, question?: LossQuestion) => void;
  /** Reports whether a dialog over the panel is open, for which Escape is then meant. */
  reportDialog: (isOpen: boolean) => void;
  /** The place of a preview beside the panel; null without one. */
  beside: HTMLElement | null;
}

export const PanelContext = createContext<Panel>({
  requestClose: () => undefined,
  reportDirty: () => undefined,
  reportDialog: () => undefined,
  beside: null,
});
