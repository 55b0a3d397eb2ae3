import { use } from 'react';
import { useNavigate } from 'react-router';
import { PanelContext } from './panel-context';

/** Goes to another screen after the form of a panel was saved. The saved values are no unsaved changes. */
export function useLeavePanel(): (path: string, options?: { replace: boolean }) => void {
  const { reportDirty } = use(PanelContext);
  const navigate = useNavigate();
  return (path, options) => {
    reportDirty(false);
    void navigate(path, options);
  };
}
