import { ActionIcon, type ActionIconProps, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useIsPhone } from './data-table';
import classes from './row-actions.module.css';

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  onClick?: () => void;
  /** A path to navigate to instead. */
  to?: string;
  isDangerous?: boolean;
  /** The reason why it is not possible now. The action stays in the menu, with this reason. */
  refusal?: string | undefined;
}

interface RowActionsProps {
  /** The subject of the row, which distinguishes its actions from those of other rows. */
  name: string;
  actions: RowAction[];
  /** The most likely next action, visible next to the others. */
  main?: ReactNode;
}

/** The actions of a row: up to two as icons with names, more in a menu; on phones always in a menu. */
export function RowActions({ name, actions, main }: RowActionsProps) {
  const isPhone = useIsPhone();
  return (
    <div className={classes.root}>
      {main}
      {actions.length > 2 || isPhone ? (
        <ActionMenu name={name} actions={actions} />
      ) : (
        actions.map((action) => <ActionButton key={action.label} name={name} action={action} />)
      )}
    </div>
  );
}

function ActionButton({ name, action }: { name: string; action: RowAction }) {
  const { label, icon: Icon, onClick, to, isDangerous, refusal } = action;
  const shared = {
    variant: 'subtle',
    size: 'lg',
    color: isDangerous ? 'var(--plenum-danger)' : 'gray',
    'aria-label': `${label} ${name}`,
    children: <Icon size={18} stroke={1.75} />,
  } as const;
  return (
    <Tooltip label={refusal ?? label}>
      {to && !refusal ? (
        <ActionIcon component={Link} to={to} {...shared} />
      ) : (
        <ActionIcon
          {...shared}
          aria-disabled={refusal ? true : undefined}
          aria-description={refusal}
          className={refusal ? classes.refused : undefined}
          onClick={refusal ? undefined : onClick}
        />
      )}
    </Tooltip>
  );
}

/** Only a button until it is first used: a menu for each of fifty rows would take half of the list's rendering time. */
function ActionMenu({ name, actions }: { name: string; actions: RowAction[] }) {
  const [isUsed, setIsUsed] = useState(false);
  const opener = {
    variant: 'subtle',
    color: 'gray',
    size: 'lg',
    'aria-label': `Actions for ${name}`,
    children: <IconDots size={18} stroke={1.75} />,
  } as const;
  return isUsed ? (
    <OpenedMenu name={name} actions={actions} openerProps={opener} />
  ) : (
    <ActionIcon {...opener} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsUsed(true)} />
  );
}

interface OpenedMenuProps {
  name: string;
  actions: RowAction[];
  openerProps: ActionIconProps & { 'aria-label': string };
}

function OpenedMenu({ name, actions, openerProps }: OpenedMenuProps) {
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  // In this order: closing returns the focus to the element that had it when the menu opened.
  useLayoutEffect(() => {
    opener.current?.focus();
    setIsOpen(true);
  }, []);

  return (
    // In the page's main part, not at the end of the document, so that the menu belongs to a landmark.
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      portalProps={{ target: '#main' }}
    >
      <Menu.Target>
        <ActionIcon ref={opener} {...openerProps} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        {actions.map(({ label, icon: Icon, onClick, to, isDangerous, refusal }) => {
          const shared = {
            leftSection: <Icon size={16} stroke={1.75} />,
            color: isDangerous ? 'var(--plenum-danger)' : undefined,
            children: label,
          };
          if (refusal) {
            return (
              // Not `disabled`, so that keyboard users can focus it and hear the reason.
              <Menu.Item
                key={label}
                leftSection={shared.leftSection}
                closeMenuOnClick={false}
                aria-disabled="true"
                className={classes.refused}
              >
                {label}
                <span className={classes.reason}>{refusal}</span>
              </Menu.Item>
            );
          }
          return to ? (
            <Menu.Item key={label} component={Link} to={to} {...shared} />
          ) : (
            <Menu.Item
              key={label}
              {...shared}
              onClick={() => {
                // The item is about to be removed. A dialog that opens now returns the focus to the menu's button,
                // which stays.
                opener.current?.focus();
                onClick?.();
              }}
            />
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
