import { type RefObject, use, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { PersonContext } from '../../api/person-context';
import '../../shared/theme/portal-styles';
import { OfflineNotice } from '../../shared/ui/offline-notice';
import classes from './portal-layout.module.css';
import { type PortalNavigationProps, PortalRail, PortalTabs, PortalTopbar } from './portal-navigation';
import { SignInAgain } from './sign-in-again';

/** A navigation on the left of wide screens; on narrow ones, a bar at the top and the sections at the bottom. */
export function PortalLayout({ home, account, sections, context }: PortalNavigationProps) {
  const expired = use(PersonContext);
  const main = useRef<HTMLElement>(null);
  useTopOfNewScreen(main);

  return (
    <div className={classes.root}>
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <PortalRail home={home} account={account} sections={sections} context={context} />
      <PortalTopbar home={home} account={account} context={context} />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <OfflineNotice />
        <Outlet />
      </main>
      {expired ? <SignInAgain person={expired} /> : null}
      <PortalTabs sections={sections} />
    </div>
  );
}

/** Scrolls and moves the focus to the top of a new screen. */
function useTopOfNewScreen(main: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current !== pathname) {
      shownPath.current = pathname;
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [main, pathname]);
}
