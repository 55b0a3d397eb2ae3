import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFocusKept } from '../use-focus-kept';
import dialogHead from './dialog-head.module.css';
import classes from './form-panel.module.css';
import { PanelContext } from './panel-context';
import { usePanelGuard } from './use-panel-guard';

interface FormPanelProps {
  opened: boolean;
  /** Closes without a question: the panel itself asks about unsaved changes. */
  onClose: () => void;
  title: string;
  /** The form has a preview. Wide screens show it beside the panel. */
  hasPreview?: boolean;
  /** A `PanelForm`. */
  children: ReactNode;
}

/**
 * A form with many fields: a panel from the right, the whole screen on phones. Every way to leave it with unsaved
 * changes asks first.
 */
export function FormPanel({ opened, onClose, title, hasPreview = false, children }: FormPanelProps) {
  const returnFocus = useFocusKept(opened);
  const [beside, setBeside] = useState<HTMLElement | null>(null);
  const { isCovered, requestClose, context, guard } = usePanelGuard(opened, onClose, beside);

  return (
    <>
      <Drawer.Root
        opened={opened}
        onClose={requestClose}
        size="30rem"
        closeOnEscape={!isCovered}
        onExitTransitionEnd={returnFocus}
        classNames={{ content: classes.content, body: classes.body }}
      >
        <Drawer.Overlay />
        {/* Outside the dialog, because it is only to look at: screen readers and the keyboard stay in the form. */}
        {hasPreview && opened ? (
          <aside ref={setBeside} className={classes.beside} aria-label="Preview" />
        ) : null}
        <Drawer.Content>
          {/* Not Drawer.Header: that is a <header>, which screen readers treat as a second banner of the page. */}
          <div className={dialogHead.root}>
            <Drawer.Title>{title}</Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </div>
          <Drawer.Body>
            <PanelContext value={context}>{children}</PanelContext>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      {guard}
    </>
  );
}
