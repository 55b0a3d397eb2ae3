import classes from './wordmark.module.css';

/** The half circle of seats with the name; its size follows the font size. */
export function Wordmark({ size = 20 }: { size?: number }) {
  return (
    <span className={classes.root} style={{ fontSize: size }}>
      <svg className={classes.mark} viewBox="0 0 30 18" fill="currentColor" aria-hidden="true">
        <circle cx="2.3" cy="15.2" r="2.15" />
        <circle cx="4.0" cy="8.9" r="2.15" />
        <circle cx="8.7" cy="4.2" r="2.15" />
        <circle cx="15.0" cy="2.5" r="2.15" />
        <circle cx="21.4" cy="4.2" r="2.15" />
        <circle cx="26.0" cy="8.9" r="2.15" />
        <circle cx="27.7" cy="15.2" r="2.15" />
        <circle cx="8.6" cy="15.2" r="2.15" />
        <circle cx="11.8" cy="9.7" r="2.15" />
        <circle cx="18.2" cy="9.7" r="2.15" />
        <circle cx="21.4" cy="15.2" r="2.15" />
      </svg>
      Plenum
    </span>
  );
}
