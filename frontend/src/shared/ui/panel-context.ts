import { createContext } from 'react';

/** The connection between a `FormPanel` and the `PanelForm` in it. */
interface Panel {
  /** Closes the panel; asks first if there are unsaved changes. */
  requestClose: () => void;
  reportDirty: (isDirty: boolean) => void;
  /** The place of a preview beside the panel; null without one. */
  beside: HTMLElement | null;
}

export const PanelContext = createContext<Panel>({
  requestClose: () => undefined,
  reportDirty: () => undefined,
  beside: null,
});
