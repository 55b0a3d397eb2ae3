import { OwnSessions } from '../../shared/account/own-sessions';
import { PasswordForm } from '../../shared/account/password-form';
import { SecondFactor } from '../../shared/account/second-factor';
import { Card } from '../../shared/ui/card';
import { PageHead } from '../../shared/ui/page-head';
import classes from './account-page.module.css';

/** Password, second factor and sessions of an account, in both portals. */
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
          description="Sign-in also asks for a code from your phone, so that your password alone is not enough."
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
