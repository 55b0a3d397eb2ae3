import { OwnSessions } from '../../shared/account/own-sessions';
import { PasswordForm } from '../../shared/account/password-form';
import { SecondFactor } from '../../shared/account/second-factor';
import { Card } from '../../shared/ui/card';
import { PageHead } from '../../shared/ui/page-head';
import classes from './account-page.module.css';

/** What people with an account do for themselves, in both portals. */
export function AccountPage() {
  return (
    <>
      <PageHead title="Password and devices" description="For your own sign-in." />
      <div className={classes.cards}>
        <Card title="Password">
          <PasswordForm />
        </Card>
        <Card
          title="Second factor"
          description="A code from your phone, asked for at sign-in beside your password. Who learns your password alone does not get in."
        >
          <SecondFactor />
        </Card>
        <Card
          title="Where you are signed in"
          description="If you do not know a device, sign out there and change your password."
        >
          <OwnSessions />
        </Card>
      </div>
    </>
  );
}
