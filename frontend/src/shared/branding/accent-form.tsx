import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf, messageOf } from '../../api/api-error';
import { FormError } from '../ui/form-error';
import { SubmitButton } from '../ui/submit-button';
import { toast } from '../ui/toast';
import classes from './accent-form.module.css';
import { AccentPreview } from './accent-preview';
import { darkEnough, lightContrast, parseColor, TEXT_CONTRAST } from './contrast';
import { useChangeAccent } from './mutations';
import type { BrandingOwner } from './owner-query';

/** Plenum's own accent, where a color chooser begins. */
const OWN_ACCENT = '#0f5e5a';

/** Changes the accent color. Its contrast is checked while it is typed. */
export function AccentForm({ owner, accent }: { owner: BrandingOwner; accent: string | null }) {
  const change = useChangeAccent(owner);
  const [text, setText] = useState(accent ?? '');
  const [isTried, setIsTried] = useState(false);
  const color = parseColor(text);
  const contrast = color && lightContrast(color);
  const isReadable = contrast !== null && contrast >= TEXT_CONTRAST;

  function choose(next: string) {
    setText(next);
    change.reset();
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsTried(true);
    if (isReadable && !change.isPending) {
      change.mutate(text.toLowerCase(), { onSuccess: () => toast.success('Color saved') });
    }
  }

  function handleRemove() {
    change.mutate(null, {
      onSuccess: () => {
        setText('');
        setIsTried(false);
        toast.success('Plenum’s own color is used again');
      },
    });
  }

  const refused = change.isError ? fieldErrorsOf(change.error).accentColor : undefined;
  const isWrong = color === null ? isTried : !isReadable;
  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <FormError
        message={change.isError && !refused ? messageOf(change.error, 'Failed to save the color') : null}
      />
      <div className={classes.fields}>
        <ColorChooser value={color ? text.toLowerCase() : OWN_ACCENT} onChange={choose} />
        <TextInput
          label="Color"
          description="As #RRGGBB, such as #7a1f5c."
          className={classes.text ?? ''}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          value={text}
          error={refused ?? (isWrong ? faultOf(contrast) : null)}
          onChange={(event) => choose(event.currentTarget.value.trim())}
        />
      </div>
      <p className={classes.contrast} role="status">
        {isReadable ? `Contrast ${contrast.toFixed(2)}:1 on light pages: readable.` : ''}
      </p>
      {color && !isReadable ? (
        <div>
          <Button variant="default" onClick={() => choose(darkEnough(color))}>
            Use {darkEnough(color)} instead
          </Button>
        </div>
      ) : null}
      {color && isReadable ? <AccentPreview color={text.toLowerCase()} parsed={color} /> : null}
      <Group>
        <SubmitButton isBusy={change.isPending} busyLabel="Saving...">
          Save color
        </SubmitButton>
        {accent ? (
          <Button variant="default" disabled={change.isPending} onClick={handleRemove}>
            Use Plenum’s color
          </Button>
        ) : null}
      </Group>
    </form>
  );
}

function ColorChooser({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <input
      type="color"
      className={classes.chooser}
      aria-label="Choose a color"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function faultOf(contrast: number | null): string {
  return contrast === null
    ? 'Enter a color such as #7a1f5c.'
    : `Too light: text in this color has a contrast of ${contrast.toFixed(2)}:1 on a light page, and 4.5:1 is needed.`;
}
