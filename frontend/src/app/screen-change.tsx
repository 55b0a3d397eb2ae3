import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { toasts } from '../shared/ui/toast';

/** All screens. Errors of one screen are not shown on the next. */
export function ScreenChange() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another screen.
  useEffect(() => toasts.leaveScreen(), [pathname]);
  return <Outlet />;
}
