import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { publicApi, unwrap } from '../../api/client';
import { paths } from '../../shared/paths';
import { TextLink } from '../../shared/ui/text-link';
import classes from './sign-in-page.module.css';

/** Shown only if the server can send mail. It is hidden while that is unknown. */
export function ForgottenPasswordLink() {
  const { pathname } = useLocation();
  const options = useQuery({
    queryKey: ['sign-in options'],
    queryFn: ({ signal }) => unwrap(publicApi.GET('/auth/options', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return options.data?.canResetPassword ? (
    <p className={classes.forgotten}>
      <TextLink to={paths.forgottenPassword} state={{ from: pathname }}>
        Forgotten password?
      </TextLink>
    </p>
  ) : null;
}
