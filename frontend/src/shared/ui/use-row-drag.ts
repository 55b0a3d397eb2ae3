import { type DragEvent, useState } from 'react';

interface Drag {
  from: number;
  /** The row under the pointer; null outside the table. */
  over: number | null;
}

/** Rows that are dragged by a handle and dropped on another row. The keyboard and touch screens need other controls. */
export function useRowDrag<Row>(rows: Row[], onDrop: ((row: Row, to: number) => void) | undefined) {
  const [drag, setDrag] = useState<Drag | null>(null);

  function handleOf(index: number) {
    return {
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        event.dataTransfer.effectAllowed = 'move';
        // Firefox drags nothing without data.
        event.dataTransfer.setData('text/plain', '');
        const row = event.currentTarget.closest('tr');
        if (row) {
          event.dataTransfer.setDragImage(row, 0, 0);
        }
        setDrag({ from: index, over: null });
      },
      onDragEnd: () => setDrag(null),
    };
  }

  function rowOf(index: number) {
    if (!onDrop) {
      return {};
    }
    const isTarget = drag !== null && drag.over === index && drag.from !== index;
    return {
      'data-drop': isTarget ? (index < drag.from ? 'before' : 'after') : undefined,
      'data-dragged': drag?.from === index || undefined,
      onDragOver: (event: DragEvent) => {
        // Only rows of this table: files and texts from elsewhere are not accepted.
        if (drag) {
          event.preventDefault();
          setDrag({ ...drag, over: index });
        }
      },
      onDrop: (event: DragEvent) => {
        if (drag) {
          event.preventDefault();
          setDrag(null);
          const row = rows[drag.from];
          if (row !== undefined) {
            onDrop(row, index);
          }
        }
      },
    };
  }

  return { handleOf, rowOf };
}
