import { paths } from '../../shared/paths';
import { AccountSignIn } from './account-sign-in';

export function AdminLoginPage() {
  return (
    <AccountSignIn
      portal="SUPER_ADMIN"
      title="Super Admin"
      description="Sign in to manage the organizations on this platform."
      rememberMeLabel="Remember me"
      buttonLabel="Sign in"
      home={paths.admin}
    />
  );
}
