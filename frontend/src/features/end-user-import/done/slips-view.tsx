import type { Credentials } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { SlipsPrinter } from '../../../shared/slips/slips-printer';
import { StepPanel } from '../step-panel';
import { SlipSheet } from './slip-sheet';

/** The slips to hand out: a preview of the first page, and all of them for the printer. */
export function SlipsView({ credentials, onBack }: { credentials: Credentials[]; onBack: () => void }) {
  return (
    <StepPanel
      title="Print slips"
      description={`One slip for each of ${countOf(credentials.length, 'person', 'people')}, to be cut along the dashed lines. The QR code leads to the sign-in and holds no password.`}
    >
      <SlipsPrinter
        slips={credentials}
        render={(slips) => <SlipSheet credentials={slips} />}
        onBack={onBack}
      />
    </StepPanel>
  );
}
