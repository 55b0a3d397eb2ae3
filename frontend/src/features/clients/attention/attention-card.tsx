import { Skeleton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Card } from '../../../shared/ui/card';
import { TextLink } from '../../../shared/ui/text-link';
import classes from './attention-card.module.css';
import { useAttention } from './use-attention';

/** What a super administrator should look at now. */
export function AttentionCard() {
  const { found, isPending, unknown } = useAttention();
  return (
    <Card title="Needs Attention">
      {found.length > 0 ? (
        <ul className={classes.list}>
          {found.map(({ text, to, link }) => (
            <li key={text} className={classes.entry}>
              <IconAlertTriangle className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
              <span>
                {text} <TextLink to={to}>{link}</TextLink>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {isPending ? (
        <>
          <VisuallyHidden role="status">Checking what needs attention...</VisuallyHidden>
          <Skeleton height={12} width="60%" my={10} aria-hidden="true" />
        </>
      ) : unknown.length > 0 ? (
        <p className={classes.note}>Could not be checked: {unknown.join(', ')}.</p>
      ) : found.length === 0 ? (
        <p className={classes.note}>
          <IconCircleCheck className={classes.done} size={18} stroke={1.75} aria-hidden="true" />
          Nothing needs your attention
        </p>
      ) : null}
    </Card>
  );
}
