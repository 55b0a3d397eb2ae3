import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { PersonContext } from '../../api/person-context';
import { session } from '../../api/session';
import { useUser } from '../../api/use-session';
import '../../shared/theme/portal-styles';
import { ColorSchemeMenu } from '../../shared/ui/color-scheme-menu';
import { OfflineNotice } from '../../shared/ui/offline-notice';
import { Wordmark } from '../../shared/ui/wordmark';
import classes from './portal-layout.module.css';
import { SignInAgain } from './sign-in-again';

export interface PortalSection {
  to: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** Highlighted on this very path only, and not on those below it. */
  isExact?: boolean;
}

interface PortalLayoutProps {
  home: string;
  /** Where people look after their password and their devices. */
  account: string;
  sections: PortalSection[];
  /** Whose portal this is: stands under the wordmark. */
  context: ReactNode;
}

/** A rail at the left on wide screens; a bar above and the sections below on narrow ones. */
export function PortalLayout({ home, account, sections, context }: PortalLayoutProps) {
  const user = useUser();
  const expired = use(PersonContext);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  const [isPersonShown, setIsPersonShown] = useState(false);

  // A new screen starts at its top, for the eye and for the keyboard.
  useEffect(() => {
    if (shownPath.current !== pathname) {
      shownPath.current = pathname;
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [pathname]);

  return (
    <div className={classes.root}>
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>

      <header className={classes.rail}>
        <Link to={home} className={classes.brand}>
          <Wordmark />
        </Link>
        <div className={classes.context}>{context}</div>
        <nav aria-label="Sections" className={classes.nav}>
          {sections.map(({ to, label, icon: Icon, isExact }) => (
            <NavLink key={to} to={to} end={isExact ?? false} className={classes.link}>
              <Icon size={20} stroke={1.75} aria-hidden="true" />
              {label}
            </NavLink>
          ))}
        </nav>
        <div className={classes.person}>
          <p className={classes.welcome}>
            Welcome{' '}
            <span className={classes.email} title={user?.email ?? undefined}>
              {user?.email}
            </span>
          </p>
          <NavLink to={account} className={classes.link}>
            <IconUserCircle size={20} stroke={1.75} aria-hidden="true" />
            Password and devices
          </NavLink>
          <div className={classes.personActions}>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconLogout size={16} stroke={1.75} aria-hidden="true" />}
              onClick={() => void session.signOut()}
            >
              Sign out
            </Button>
            <ColorSchemeMenu />
          </div>
        </div>
      </header>

      <header className={classes.topbar}>
        <Link to={home} className={classes.brand}>
          <Wordmark />
        </Link>
        <div className={classes.personActions}>
          <ColorSchemeMenu />
          {/* Not a Menu: what is read in it, and not chosen, would have no place there. */}
          <Popover
            opened={isPersonShown}
            onChange={setIsPersonShown}
            position="bottom-end"
            trapFocus
            returnFocus
            withinPortal={false}
          >
            <Popover.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label="Your account"
                onClick={() => setIsPersonShown((isShown) => !isShown)}
              >
                <IconUserCircle size={24} stroke={1.5} />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown aria-label="Your account" className={classes.account}>
              {context}
              <p className={classes.welcome}>
                Welcome <span className={classes.email}>{user?.email}</span>
              </p>
              <Button
                component={Link}
                to={account}
                fullWidth
                variant="default"
                mb="xs"
                leftSection={<IconUserCircle size={16} stroke={1.75} aria-hidden="true" />}
                onClick={() => setIsPersonShown(false)}
              >
                Password and devices
              </Button>
              <Button
                fullWidth
                variant="default"
                leftSection={<IconLogout size={16} stroke={1.75} aria-hidden="true" />}
                onClick={() => void session.signOut()}
              >
                Sign out
              </Button>
            </Popover.Dropdown>
          </Popover>
        </div>
      </header>

      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <OfflineNotice />
        <Outlet />
      </main>
      {expired ? <SignInAgain person={expired} /> : null}

      <nav aria-label="Sections" className={classes.tabs}>
        {sections.map(({ to, label, icon: Icon, isExact }) => (
          <NavLink key={to} to={to} end={isExact ?? false} className={classes.tab}>
            <Icon size={22} stroke={1.75} aria-hidden="true" />
            {label}
          </NavLink>
        ))}
      </nav>
    </div>
  );
}
