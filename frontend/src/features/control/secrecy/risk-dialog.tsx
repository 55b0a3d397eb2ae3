import { Button, Group, Modal } from '@mantine/core';
import { useRef } from 'react';
import dialogHead from '../../../shared/ui/dialog-head.module.css';
import { useFocusKept } from '../../../shared/use-focus-kept';
import type { Risk } from '../steps/use-steps';
import classes from './risk-dialog.module.css';

interface RiskDialogProps {
  /** Null while it is closed. */
  risk: Risk | null;
  isBusy: boolean;
  /** Changes the question and opens it; null if that is not possible any more. */
  onCountByHeads: (() => void) | null;
  onAccept: () => void;
  onCancel: () => void;
}

/** Asks before a secret vote is opened or counted although its totals may show how a person voted. */
export function RiskDialog({ risk, ...props }: RiskDialogProps) {
  const returnFocus = useFocusKept(risk !== null);
  // A closing dialog still shows its last content.
  const last = useRef(risk);
  last.current = risk ?? last.current;

  return (
    <Modal.Root opened={risk !== null} onClose={props.onCancel} onExitTransitionEnd={returnFocus}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialogHead.root}>
          <Modal.Title>The vote may not stay secret</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body px="lg" pb="lg">
          {last.current ? <Choices {...props} risk={last.current} /> : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Choices({ risk, isBusy, onCountByHeads, onAccept, onCancel }: RiskDialogProps & { risk: Risk }) {
  const isCounting = risk.order.kind === 'count' || risk.order.kind === 'declare';
  const busy = { 'aria-disabled': isBusy || undefined };
  return (
    <div className={classes.root}>
      <p className={classes.words}>{withFullStop(risk.words)}</p>
      {isCounting ? (
        <p>The votes are cast. If you open the urn, the minutes note that you accepted this.</p>
      ) : (
        <ul>
          {onCountByHeads ? (
            <li>
              <strong>Count by heads</strong>: every vote counts one, so no weight shows in the totals.
            </li>
          ) : null}
          <li>
            <strong>Open anyway</strong>: the minutes note that you accepted this.
          </li>
          <li>
            <strong>Cancel</strong>: choose another secrecy in the question’s form.
          </li>
        </ul>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button
          variant="outline"
          color="var(--plenum-danger)"
          {...busy}
          onClick={isBusy ? undefined : onAccept}
        >
          {isCounting ? 'Open the urn anyway' : 'Open anyway'}
        </Button>
        {onCountByHeads ? (
          <Button {...busy} onClick={isBusy ? undefined : onCountByHeads}>
            Count by heads
          </Button>
        ) : null}
      </Group>
    </div>
  );
}

function withFullStop(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}
