import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../../api/types';
import { BrandingCards } from '../../shared/branding/branding-cards';
import classes from './edit-client.module.css';
import { EditClientForm } from './edit-client-form';

/** The content of the panel that edits a client: its details, and its logo and color. */
export function EditClient({ client, onDone }: { client: Client; onDone: () => void }) {
  const [view, setView] = useState<'details' | 'branding'>('details');
  return (
    <div className={classes.root}>
      <div className={classes.views}>
        <SegmentedControl
          fullWidth
          aria-label="View"
          value={view}
          onChange={(chosen) => setView(chosen === 'branding' ? 'branding' : 'details')}
          data={[
            { value: 'details', label: 'Details' },
            { value: 'branding', label: 'Logo and color' },
          ]}
        />
      </div>
      {/* Stays, with what was typed. The logo and the color are saved on their own. */}
      <div className={classes.details} hidden={view !== 'details'}>
        <EditClientForm clientId={client.id} onDone={onDone} />
      </div>
      {view === 'branding' ? (
        <div className={classes.branding}>
          <BrandingCards owner={{ clientId: client.id, clientCode: client.clientCode }} />
        </div>
      ) : null}
    </div>
  );
}
