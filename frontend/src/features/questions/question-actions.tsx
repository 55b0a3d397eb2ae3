import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Question } from '../../api/types';
import { useIsPhone } from '../../shared/ui/data-table';
import { RowActions } from '../../shared/ui/row-actions';
import { toast } from '../../shared/ui/toast';
import type { Direction } from './mutations';
import { useDuplicateQuestion } from './mutations';
import classes from './question-actions.module.css';

interface QuestionActionsProps {
  question: Question;
  isFirst: boolean;
  isLast: boolean;
  onMove: (direction: Direction) => void;
  onEdit: () => void;
  onDelete: () => void;
}

/**
 * The actions on a question. All are visible, because this page sets up the agenda. On phones only the move buttons
 * are.
 */
export function QuestionActions(props: QuestionActionsProps) {
  const { question, isFirst, isLast, onMove, onEdit, onDelete } = props;
  const duplicateQuestion = useDuplicateQuestion();
  const isPhone = useIsPhone();

  // The pending state is rendered a moment later, and a double click may be faster.
  const isCopying = useRef(false);

  function handleCopy() {
    if (!isCopying.current) {
      isCopying.current = true;
      duplicateQuestion.mutate(question.id, {
        onSuccess: () => toast.success('Question duplicated successfully'),
        onSettled: () => {
          isCopying.current = false;
        },
      });
    }
  }

  const moves = (
    <>
      <MoveButton direction="up" isAtEnd={isFirst} onMove={onMove} />
      <MoveButton direction="down" isAtEnd={isLast} onMove={onMove} />
    </>
  );

  if (isPhone) {
    return (
      <RowActions
        name={question.questionText}
        main={moves}
        actions={[
          { label: 'Edit', icon: IconPencil, onClick: onEdit },
          { label: 'Copy', icon: IconCopy, onClick: handleCopy },
          { label: 'Del', icon: IconTrash, isDangerous: true, onClick: onDelete },
        ]}
      />
    );
  }
  return (
    <div className={classes.root}>
      {moves}
      <Button size="compact-sm" variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onEdit}>
        Edit
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        aria-disabled={duplicateQuestion.isPending || undefined}
        onClick={handleCopy}
      >
        Copy
      </Button>
      <Button size="compact-sm" variant="subtle" color="var(--plenum-danger)" onClick={onDelete}>
        Del
      </Button>
    </div>
  );
}

interface MoveButtonProps {
  direction: Direction;
  isAtEnd: boolean;
  onMove: (direction: Direction) => void;
}

/** At the end of the list it does nothing, but keeps the focus after the last move. */
function MoveButton({ direction, isAtEnd, onMove }: MoveButtonProps) {
  const Icon = direction === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <Tooltip label={`Move ${direction}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Move ${direction}`}
        aria-disabled={isAtEnd || undefined}
        className={classes.move}
        onClick={isAtEnd ? undefined : () => onMove(direction)}
      >
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
