import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './form-error.module.css';

/** The error of a form as a whole. The error of a field is shown at the field. */
export function FormError({ message }: { message: string | null }) {
  return message ? (
    <div className={classes.root} role="alert">
      <IconAlertTriangle className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
      <span>{message}</span>
    </div>
  ) : null;
}
