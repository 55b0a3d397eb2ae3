import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import dialogHead from './dialog-head.module.css';
import classes from './form-panel.module.css';

interface FormPanelProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** A `PanelForm`. */
  children: ReactNode;
}

/** A form of more than a few fields: a panel from the right, the whole screen on phones. */
export function FormPanel({ opened, onClose, title, children }: FormPanelProps) {
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      size="30rem"
      closeOnClickOutside={false}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Not Drawer.Header: that is a <header>, a second banner of the page to screen readers. */}
        <div className={dialogHead.root}>
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
