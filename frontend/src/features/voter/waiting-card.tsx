import { Button } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import classes from './waiting-card.module.css';

interface WaitingCardProps {
  title: string;
  text: string;
  /** Withdraws the vote, if the server allows it. */
  onReset?: () => void;
  isResetting?: boolean;
}

/** A message that there is nothing to do at the moment, and the reason. */
export function WaitingCard({ title, text, onReset, isResetting }: WaitingCardProps) {
  return (
    <section className={classes.root}>
      <IconHourglass className={classes.icon} size={32} stroke={1.5} aria-hidden="true" />
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {onReset ? (
        <Button variant="default" mt="md" loading={isResetting} onClick={onReset}>
          Reset for Testing
        </Button>
      ) : null}
    </section>
  );
}
