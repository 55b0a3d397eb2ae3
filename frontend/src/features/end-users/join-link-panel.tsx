import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EndUser, JoinLink } from '../../api/types';
import { formatDateTime } from '../../shared/format';
import { JoinLinksForm } from '../../shared/join-links/join-links-form';
import classes from '../../shared/join-links/join-links-form.module.css';
import { useRevokeJoinLinks } from '../../shared/join-links/mutations';
import { joinLinkQueries } from '../../shared/join-links/queries';

/** The personal links of one person. */
export function JoinLinkPanel({ endUser }: { endUser: EndUser }) {
  const links = useQuery(joinLinkQueries.of(endUser.id));
  return (
    <div className={classes.root}>
      <JoinLinksForm
        recipients={{ people: 'NAMED', endUserIds: [endUser.id] }}
        label={`Make a link for ${endUser.name}`}
      />
      {links.isSuccess && links.data.length > 0 ? (
        <>
          <h3 className={classes.title}>Earlier links</h3>
          <ul className={classes.links}>
            {links.data.map((link) => (
              <LinkItem key={link.id} link={link} />
            ))}
          </ul>
        </>
      ) : null}
      {links.isError ? <p role="alert">Failed to load the earlier links</p> : null}
    </div>
  );
}

function LinkItem({ link }: { link: JoinLink }) {
  const revoke = useRevokeJoinLinks();
  return (
    <li>
      <span>
        {link.meetingTitle ?? 'For the organization'}
        <br />
        <span className={classes.hint}>{stateOf(link)}</span>
      </span>
      {link.works ? (
        <Button
          variant="outline"
          color="var(--plenum-danger)"
          loading={revoke.isPending}
          onClick={() => revoke.mutate({ joinLinkId: link.id })}
        >
          Revoke
        </Button>
      ) : null}
    </li>
  );
}

function stateOf({ madeAt, lastUsedAt, revokedAt, works }: JoinLink): string {
  const used = lastUsedAt ? `last used ${formatDateTime(lastUsedAt)}` : 'never used';
  const state = revokedAt ? `revoked ${formatDateTime(revokedAt)}` : works ? 'works' : 'no longer works';
  return `Made ${formatDateTime(madeAt)}, ${used}, ${state}`;
}
