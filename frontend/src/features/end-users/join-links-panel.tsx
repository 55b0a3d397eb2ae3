import { GroupJoinLinks } from '../../shared/join-links/group-join-links';
import classes from '../../shared/join-links/join-links-form.module.css';

/** Personal links for many people of the organization. */
export function JoinLinksPanel() {
  return (
    <div className={classes.root}>
      <GroupJoinLinks
        everybody="Everybody who is active"
        first="ALL"
        revocation={{ label: 'Revoke all personal links', choice: { all: true } }}
      >
        <p>No personal link of your organization works any more, those for meetings among them.</p>
      </GroupJoinLinks>
    </div>
  );
}
