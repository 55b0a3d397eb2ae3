import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useUser } from '../../api/use-session';
import { BrandLogo } from '../../shared/branding/brand-logo';
import { logoAddress } from '../../shared/branding/logo-address';
import { DropZone } from '../../shared/ui/drop-zone';
import { FormError } from '../../shared/ui/form-error';
import { toast } from '../../shared/ui/toast';
import { LOGO_ENDINGS, logoErrorText, logoFault } from './logo-check';
import classes from './logo-form.module.css';
import { useChangeLogo, useRemoveLogo } from './mutations';

/** Shows the logo on both themes, and replaces or removes it. */
export function LogoForm({ version }: { version: string | null }) {
  const code = useUser()?.clientCode;
  const change = useChangeLogo();
  const remove = useRemoveLogo();
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
