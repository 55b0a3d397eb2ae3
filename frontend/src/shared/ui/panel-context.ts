import { createContext } from 'react';

/** Between a `FormPanel` and the `PanelForm` in it. */
interface Panel {
  /** Closes the panel; asks first where something would be lost. */
  requestClose: () => void;
  reportDirty: (isDirty: boolean) => void;
}

export const PanelContext = createContext<Panel>({
  requestClose: () => undefined,
  reportDirty: () => undefined,
});
