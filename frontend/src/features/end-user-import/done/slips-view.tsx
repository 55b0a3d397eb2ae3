import { Button } from '@mantine/core';
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Credentials } from '../../../api/types';
import { countOf, formatNumber } from '../../../shared/format';
import { FilterSelect } from '../../../shared/ui/filter-select';
import { StepPanel } from '../step-panel';
import { SlipSheet } from './slip-sheet';
import classes from './slips-view.module.css';

/** The number of slips that a browser lays out in a few seconds; more are printed in parts. */
const SLIPS_A_PART = 1_000;
const SLIPS_A_PAGE = 6;

/** The slips to hand out: a preview of the first page, and all of them for the printer. */
export function SlipsView({ credentials, onBack }: { credentials: Credentials[]; onBack: () => void }) {
  const [part, setPart] = useState(0);
  // An attribute, for browsers without `:has()`.
  useEffect(() => {
    document.body.dataset.prints = 'slips';
    return () => {
      delete document.body.dataset.prints;
    };
  }, []);
  const first = part * SLIPS_A_PART;
  const slips = credentials.slice(first, first + SLIPS_A_PART);
  const pages = Math.ceil(slips.length / SLIPS_A_PAGE);
  return (
    <StepPanel
      title="Print slips"
      description={`One slip for each of ${countOf(credentials.length, 'person', 'people')}, to be cut along the dashed lines. The QR code leads to the sign-in and holds no password.`}
    >
      <div className={classes.buttons}>
        <Button
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => window.print()}
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
      {credentials.length > SLIPS_A_PART ? (
        <PartSelect total={credentials.length} part={part} onPart={setPart} />
      ) : null}
      <div>
        <h3 className={classes.title}>{pages > 1 ? 'The first page' : 'The page'}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
        <section className={classes.preview} aria-label="First page of the slips" tabIndex={0}>
          <div className={classes.paper}>
            <SlipSheet credentials={slips.slice(0, SLIPS_A_PAGE)} />
          </div>
        </section>
      </div>
      {/* Outside the app's element: printing shows this and hides everything else. */}
      {createPortal(
        <div className={classes.print} data-testid="printed-slips">
          <SlipSheet credentials={slips} />
        </div>,
        document.body,
      )}
    </StepPanel>
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
