import { useCallback, useState } from 'react';

/** The running task of a list and its row: one panel or dialog at a time. */
export interface RowTask<Task extends string, Row> {
  /** Kept while the dialog closes, so that its text does not disappear first. Null before the first task. */
  row: Row | null;
  isOn: (task: Task) => boolean;
  start: (task: Task, row: Row) => void;
  end: () => void;
}

export function useRowTask<Task extends string, Row>(): RowTask<Task, Row> {
  const [row, setRow] = useState<Row | null>(null);
  const [current, setCurrent] = useState<Task | null>(null);
  const end = useCallback(() => setCurrent(null), []);
  return {
    row,
    isOn: (task) => current === task,
    start: (task, chosen) => {
      setRow(chosen);
      setCurrent(task);
    },
    end,
  };
}
