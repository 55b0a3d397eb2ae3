import classes from './accent-preview.module.css';
import { darkShade } from './contrast';

interface AccentPreviewProps {
  color: string;
  parsed: [number, number, number];
}

/** A button and a link in the color, on a light and on a dark page. */
export function AccentPreview({ color, parsed }: AccentPreviewProps) {
  const dark = darkShade(parsed);
  return (
    <div className={classes.previews}>
      <Sample title="On light" page="#faf9f7" text="#6b665d" accent={color} onAccent="#ffffff" />
      <Sample title="On dark" page="#171614" text="#aca79e" accent={dark} onAccent="#171614" />
    </div>
  );
}

interface SampleProps {
  title: string;
  page: string;
  text: string;
  accent: string;
  onAccent: string;
}

function Sample({ title, page, text, accent, onAccent }: SampleProps) {
  return (
    <figure className={classes.preview} style={{ background: page, color: text }}>
      <span className={classes.button} style={{ background: accent, color: onAccent }}>
        Button
      </span>
      <span className={classes.link} style={{ color: accent }}>
        A link
      </span>
      <figcaption>
        {title}: {accent}
      </figcaption>
    </figure>
  );
}
