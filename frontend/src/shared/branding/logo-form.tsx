import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useUser } from '../../api/use-session';
import { DropZone } from '../ui/drop-zone';
import { FormError } from '../ui/form-error';
import { toast } from '../ui/toast';
import { BrandLogo } from './brand-logo';
import { logoAddress } from './logo-address';
import { LOGO_ENDINGS, logoErrorText, logoFault } from './logo-check';
import classes from './logo-form.module.css';
import { useChangeLogo, useRemoveLogo } from './mutations';
import type { BrandingOwner } from './owner-query';

/** Shows the logo on both themes, and replaces or removes it. */
export function LogoForm({ owner, version }: { owner: BrandingOwner; version: string | null }) {
  const user = useUser();
  const code = owner ? owner.clientCode : user?.clientCode;
  const change = useChangeLogo(owner);
  const remove = useRemoveLogo(owner);
  const [fault, setFault] = useState<string | null>(null);

  function handleFiles(files: File[]) {
    const [file] = files;
    const found = files.length > 1 ? 'Choose one file at a time.' : file ? logoFault(file) : null;
    setFault(found);
    change.reset();
    if (file && !found) {
      change.mutate(file, { onSuccess: () => toast.success('Logo saved') });
    }
  }

  const message = fault ?? (change.isError ? logoErrorText(change.error) : null);
  return (
    <div className={classes.root}>
      {version && code ? (
        <>
          <div className={classes.previews}>
            {(['light', 'dark'] as const).map((scheme) => (
              <figure key={scheme} className={classes.preview} data-mantine-color-scheme={scheme}>
                <BrandLogo src={logoAddress(code, version)} className={classes.logo ?? ''} />
                <figcaption>{scheme === 'light' ? 'On light' : 'On dark'}</figcaption>
              </figure>
            ))}
          </div>
          <div>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden="true" />}
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSuccess: () => toast.success('Logo removed') })}
            >
              Remove logo
            </Button>
          </div>
        </>
      ) : null}
      <FormError message={message} />
      <DropZone
        label="Logo"
        endings={LOGO_ENDINGS}
        hint="PNG, JPEG or WebP, at most 256 KiB and 2000 × 2000 pixels. A wide logo with a transparent background fits best."
        isBusy={change.isPending}
        onFiles={handleFiles}
      />
    </div>
  );
}
