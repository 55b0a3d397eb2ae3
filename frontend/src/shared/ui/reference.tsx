import { CopyButton } from './copy-button';
import classes from './reference.module.css';

/** By what whoever runs the server finds an unexpected error in its log. */
export function Reference({ id }: { id: string }) {
  return (
    <span className={classes.root}>
      <span>
        Reference <span className={classes.id}>{id}</span>
      </span>
      <CopyButton text={id} label="Copy reference" />
    </span>
  );
}
