import { OwnSessions } from '../../shared/account/own-sessions';
import { PasswordForm } from '../../shared/account/password-form';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { VoterShell } from './voter-shell';

/** The settings that voters change themselves. */
export function VoterAccountPage() {
  return (
    <VoterShell title="Your Account" back={{ to: paths.voting, label: 'Meetings' }}>
      <Card title="Password">
        <PasswordForm size="lg" />
      </Card>
      <Card
        title="Where you are signed in"
        description="If you do not know a device, sign out there and change your password."
      >
        <OwnSessions size="md" />
      </Card>
    </VoterShell>
  );
}
