import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import dialogHead from '../../shared/ui/dialog-head.module.css';
import { PanelContext } from '../../shared/ui/panel-context';
import { usePanelGuard } from '../../shared/ui/use-panel-guard';
import { useFocusKept } from '../../shared/use-focus-kept';
import classes from './side-panel.module.css';

interface SidePanelProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: string;
  children: ReactNode;
}

/**
 * A panel next to the question: from the right, on phones the whole screen. Leaving it asks first if something would be
 * lost.
 */
export function SidePanel({ opened, onClose, title, size = '30rem', children }: SidePanelProps) {
  const returnFocus = useFocusKept(opened);
  const { isCovered, requestClose, context, guard } = usePanelGuard(opened, onClose);
  return (
    <>
      <Drawer.Root
        opened={opened}
        onClose={requestClose}
        size={size}
        closeOnEscape={!isCovered}
        onExitTransitionEnd={returnFocus}
      >
        <Drawer.Overlay />
        <Drawer.Content>
          <div className={dialogHead.root}>
            <Drawer.Title>{title}</Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </div>
          <Drawer.Body className={classes.body}>
            <PanelContext value={context}>{children}</PanelContext>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {guard}
    </>
  );
}
