import { Button } from '@mantine/core';
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { countOf, formatNumber } from '../format';
import { FilterSelect } from '../ui/filter-select';
import classes from './slips-printer.module.css';

/** The number of slips that a browser lays out in a few seconds; more are printed in parts. */
const SLIPS_A_PART = 1_000;
const SLIPS_A_PAGE = 6;

interface SlipsPrinterProps<Slip> {
  slips: Slip[];
  /** Draws the sheet of these slips. */
  render: (slips: Slip[]) => ReactNode;
  onBack: () => void;
  /** Runs once every part has been printed. */
  onPrinted?: () => void;
}

/** A preview of the first page of slips, and all of them for the printer. */
export function SlipsPrinter<Slip>({ slips: all, render, onBack, onPrinted }: SlipsPrinterProps<Slip>) {
  const [part, setPart] = useState(0);
  const printedParts = useRef(new Set<number>());
  // An attribute, for browsers without `:has()`.
  useEffect(() => {
    document.body.dataset.prints = 'slips';
    return () => {
      delete document.body.dataset.prints;
    };
  }, []);
  const first = part * SLIPS_A_PART;
  const slips = all.slice(first, first + SLIPS_A_PART);
  const pages = Math.ceil(slips.length / SLIPS_A_PAGE);

  function handlePrint() {
    window.print();
    printedParts.current.add(part);
    if (printedParts.current.size === Math.ceil(all.length / SLIPS_A_PART)) {
      onPrinted?.();
    }
  }

  return (
    <>
      <div className={classes.buttons}>
        <Button
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden="true" />}
          onClick={handlePrint}
        >
          Print {countOf(pages, 'page')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />}
          onClick={onBack}
        >
          Back
        </Button>
      </div>
      {all.length > SLIPS_A_PART ? <PartSelect total={all.length} part={part} onPart={setPart} /> : null}
      <div>
        <h3 className={classes.title}>{pages > 1 ? 'The first page' : 'The page'}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
        <section className={classes.preview} aria-label="First page of the slips" tabIndex={0}>
          <div className={classes.paper}>{render(slips.slice(0, SLIPS_A_PAGE))}</div>
        </section>
      </div>
      {/* Outside the app's element: printing shows this and hides everything else. */}
      {createPortal(
        <div className={classes.print} data-testid="printed-slips">
          {render(slips)}
        </div>,
        document.body,
      )}
    </>
  );
}

interface PartSelectProps {
  total: number;
  part: number;
  onPart: (part: number) => void;
}

function PartSelect({ total, part, onPart }: PartSelectProps) {
  const parts = Array.from({ length: Math.ceil(total / SLIPS_A_PART) }, (_, index) => {
    const last = Math.min((index + 1) * SLIPS_A_PART, total);
    return {
      value: String(index),
      label: `Slips ${formatNumber(index * SLIPS_A_PART + 1)} to ${formatNumber(last)}`,
    };
  });
  return (
    <div className={classes.part}>
      <p className={classes.hint}>
        So many slips are printed in parts. Choose each part in turn and print it.
      </p>
      <FilterSelect
        label="Part to print"
        value={String(part)}
        options={parts}
        onChange={(chosen) => onPart(Number(chosen))}
      />
    </div>
  );
}
