import { Pagination } from '@mantine/core';
import { useRef } from 'react';
import { PAGE_SIZE } from '../../api/page';
import { formatNumber } from '../format';
import classes from './list-pages.module.css';

interface ListPagesProps {
  /** The name of the list, for screen readers. */
  label: string;
  /** From 1. */
  page: number;
  total: number;
  onPage: (page: number) => void;
}

const EDGES = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' };

/** The current page of a list, and links to the other pages; empty if there is only one page. */
export function ListPages({ label, page, total, onPage }: ListPagesProps) {
  const nav = useRef<HTMLElement>(null);
  if (total <= PAGE_SIZE) {
    return null;
  }
  const first = (page - 1) * PAGE_SIZE + 1;
  const last = Math.min(page * PAGE_SIZE, total);

  return (
    <nav ref={nav} className={classes.pages} aria-label={`Pages of ${label}`}>
      <span className={classes.range} role="status">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(total)}
      </span>
      <Pagination
        size="sm"
        value={page}
        total={Math.ceil(total / PAGE_SIZE)}
        onChange={(chosen) => {
          onPage(chosen);
          // The page links are below the list; reading continues at its top.
          nav.current?.closest('section')?.scrollIntoView({ block: 'start' });
        }}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={(control) => ({ 'aria-label': EDGES[control] })}
      />
    </nav>
  );
}
