import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface Drag {
  from: number;
  /** The row under the pointer; null outside the list. */
  over: number | null;
}

/** The page scrolls while the pointer is this near to its edge. */
const EDGE_PX = 72;
const SCROLL_PX = 8;

/**
 * Rows that are dragged by a handle and dropped on another row, with a mouse, a pen or a finger. Escape puts the row
 * back. The keyboard needs other controls.
 */
export function useRowDrag<Row>(rows: Row[], onDrop: ((row: Row, to: number) => void) | undefined) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const list = useRef<Element | null>(null);
  const pointer = useRef({ x: 0, y: 0 });

  function follow() {
    const over = rowAt(list.current, pointer.current);
    setDrag((current) => (current === null || current.over === over ? current : { ...current, over }));
  }

  useWhileDragging(drag !== null, { pointer, follow, cancel: () => setDrag(null) });

  function handleOf(index: number) {
    return {
      onPointerDown: (event: ReactPointerEvent<HTMLElement>) => {
        if (event.button !== 0 || !event.isPrimary) {
          return;
        }
        // The handle gets all further events of this pointer, wherever it goes.
        event.currentTarget.setPointerCapture(event.pointerId);
        list.current = event.currentTarget.closest('table, ul, ol');
        pointer.current = { x: event.clientX, y: event.clientY };
        setDrag({ from: index, over: null });
      },
      onPointerMove: (event: ReactPointerEvent) => {
        if (drag) {
          pointer.current = { x: event.clientX, y: event.clientY };
          follow();
        }
      },
      onPointerUp: (event: ReactPointerEvent) => {
        if (!drag) {
          return;
        }
        setDrag(null);
        const over = rowAt(list.current, { x: event.clientX, y: event.clientY });
        const row = rows[drag.from];
        if (over !== null && over !== drag.from && row !== undefined) {
          onDrop?.(row, over);
        }
      },
      // The browser took the pointer, for instance for a gesture of its own.
      onPointerCancel: () => setDrag(null),
    };
  }

  function rowOf(index: number) {
    if (!onDrop) {
      return {};
    }
    const isTarget = drag !== null && drag.over === index && drag.from !== index;
    return {
      'data-row': index,
      'data-drop': isTarget ? (index < drag.from ? 'before' : 'after') : undefined,
      'data-dragged': drag?.from === index || undefined,
    };
  }

  return { handleOf, rowOf };
}

interface Dragging {
  pointer: RefObject<{ x: number; y: number }>;
  follow: () => void;
  cancel: () => void;
}

/** While a row is dragged, the page scrolls at its edges, and Escape cancels. */
function useWhileDragging(isDragging: boolean, { pointer, follow, cancel }: Dragging) {
  useEffect(() => {
    if (!isDragging) {
      return;
    }
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        cancel();
      }
    };
    let frame = 0;
    const scroll = () => {
      const { y } = pointer.current;
      if (y < EDGE_PX) {
        window.scrollBy(0, -SCROLL_PX);
      } else if (y > window.innerHeight - EDGE_PX) {
        window.scrollBy(0, SCROLL_PX);
      }
      follow();
      frame = window.requestAnimationFrame(scroll);
    };
    frame = window.requestAnimationFrame(scroll);
    window.addEventListener('keydown', handleKey);
    return () => {
      window.cancelAnimationFrame(frame);
      window.removeEventListener('keydown', handleKey);
    };
  });
}

/** The place of the row at a point of the screen; null outside the list, for rows of other lists too. */
function rowAt(list: Element | null, { x, y }: { x: number; y: number }): number | null {
  const row = document.elementFromPoint(x, y)?.closest('[data-row]');
  return row && list?.contains(row) ? Number(row.getAttribute('data-row')) : null;
}
