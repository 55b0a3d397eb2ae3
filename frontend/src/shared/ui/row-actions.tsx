import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import classes from './row-actions.module.css';

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  onClick?: () => void;
  /** A path to go to instead. */
  to?: string;
  isDangerous?: boolean;
  /** Why it cannot be done now; it stays in the menu, with the reason. */
  refusal?: string | undefined;
}

interface RowActionsProps {
  /** What the row is about: the actions are told apart by it. */
  name: string;
  actions: RowAction[];
  /** The one thing to do next, in sight beside the others. */
  main?: ReactNode;
}

/** What can be done with a row: up to two as icons with names, more in a menu. */
export function RowActions({ name, actions, main }: RowActionsProps) {
  return (
    <div className={classes.root}>
      {main}
      {actions.length > 2 ? (
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

function ActionMenu({ name, actions }: { name: string; actions: RowAction[] }) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    // In the page's main part, not at the end of the document: what is offered belongs to a landmark.
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} portalProps={{ target: '#main' }}>
      <Menu.Target>
        <ActionIcon ref={opener} variant="subtle" color="gray" size="lg" aria-label={`Actions for ${name}`}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
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
              // Not `disabled`: who goes through the menu by keyboard hears the reason.
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
                // The item is about to go: a dialog that opens now gives the focus back to what stays.
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
