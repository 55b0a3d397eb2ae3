import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Link, matchPath, NavLink, useLocation } from 'react-router';
import { session } from '../../api/session';
import { useUser } from '../../api/use-session';
import { ColorSchemeMenu } from '../../shared/ui/color-scheme-menu';
import { Wordmark } from '../../shared/ui/wordmark';
import classes from './portal-layout.module.css';

export interface PortalSection {
  to: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** Highlighted on this exact path only, and not on those below it. */
  isExact?: boolean;
  /** Addresses of its pages that are not below its own. */
  further?: string[];
}

export interface AccountPage {
  to: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
}

export interface PortalNavigationProps {
  home: string;
  /** The pages for the person's own password and sessions, and for the settings of their organization. */
  account: AccountPage[];
  sections: PortalSection[];
  /** The owner of the portal, below the wordmark. */
  context: ReactNode;
}

/** The navigation on the left of wide screens. */
export function PortalRail({ home, account, sections, context }: PortalNavigationProps) {
  const user = useUser();
  return (
    <header className={classes.rail}>
      <Link to={home} className={classes.brand}>
        <Wordmark />
      </Link>
      <div className={classes.context}>{context}</div>
      <nav aria-label="Sections" className={classes.nav}>
        {sections.map((section) => (
          <SectionLink key={section.to} section={section} className={classes.link} iconSize={20} />
        ))}
      </nav>
      <div className={classes.person}>
        <p className={classes.welcome}>
          Welcome{' '}
          <span className={classes.email} title={user?.email ?? undefined}>
            {user?.email}
          </span>
        </p>
        {account.map(({ to, label, icon: Icon }) => (
          <NavLink key={to} to={to} className={classes.link}>
            <Icon size={20} stroke={1.75} aria-hidden="true" />
            {label}
          </NavLink>
        ))}
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
  );
}

/** The bar above the content of narrow screens. */
export function PortalTopbar({ home, ...account }: Omit<PortalNavigationProps, 'sections'>) {
  return (
    <header className={classes.topbar}>
      <Link to={home} className={classes.brand}>
        <Wordmark />
      </Link>
      <div className={classes.personActions}>
        <ColorSchemeMenu />
        <AccountPopover {...account} />
      </div>
    </header>
  );
}

/** Not a Menu, because it contains text that cannot be chosen. */
function AccountPopover({ account, context }: Pick<PortalNavigationProps, 'account' | 'context'>) {
  const user = useUser();
  const [isShown, setIsShown] = useState(false);
  return (
    <Popover
      opened={isShown}
      onChange={setIsShown}
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
          onClick={() => setIsShown((wasShown) => !wasShown)}
        >
          <IconUserCircle size={24} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Your account" className={classes.account}>
        {context}
        <p className={classes.welcome}>
          Welcome <span className={classes.email}>{user?.email}</span>
        </p>
        {account.map(({ to, label, icon: Icon }) => (
          <Button
            key={to}
            component={Link}
            to={to}
            fullWidth
            variant="default"
            mb="xs"
            leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => setIsShown(false)}
          >
            {label}
          </Button>
        ))}
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
  );
}

/** The sections at the bottom of narrow screens. */
export function PortalTabs({ sections }: Pick<PortalNavigationProps, 'sections'>) {
  return (
    <nav aria-label="Sections" className={classes.tabs}>
      {sections.map((section) => (
        <SectionLink key={section.to} section={section} className={classes.tab} iconSize={22} />
      ))}
    </nav>
  );
}

interface SectionLinkProps {
  section: PortalSection;
  className: string | undefined;
  /** In pixels. */
  iconSize: number;
}

function SectionLink({ section, className, iconSize }: SectionLinkProps) {
  const { to, label, icon: Icon, isExact = false, further = [] } = section;
  const { pathname } = useLocation();
  const isOnFurther = further.some((path) => matchPath({ path, end: false }, pathname) !== null);
  const content = (
    <>
      <Icon size={iconSize} stroke={1.75} aria-hidden="true" />
      {label}
    </>
  );
  return isOnFurther ? (
    <Link to={to} className={className} aria-current="true">
      {content}
    </Link>
  ) : (
    <NavLink to={to} end={isExact} className={className}>
      {content}
    </NavLink>
  );
}
