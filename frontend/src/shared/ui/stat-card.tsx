import classes from './stat-card.module.css';

interface StatCardProps {
  label: string;
  /** `undefined` while it loads. */
  value: string | number | undefined;
  context?: string;
}

/** A number with its name and one line of context, for a `StatGrid`. */
export function StatCard({ label, value, context }: StatCardProps) {
  return (
    <div className={classes.card}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{value ?? '...'}</dd>
      {context ? <dd className={classes.context}>{context}</dd> : null}
    </div>
  );
}
