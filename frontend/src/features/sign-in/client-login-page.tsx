import { paths } from '../../shared/paths';
import { AccountSignIn } from './account-sign-in';

export function ClientLoginPage() {
  return (
    <AccountSignIn
      portal="CLIENT"
      title="Client Login"
      description="Sign in to run your organization's meetings."
      rememberMeLabel="Remember me for 30 days"
      buttonLabel="Sign In to Dashboard"
      footer="Need help? Please contact your system administrator."
      home={paths.client}
    />
  );
}
