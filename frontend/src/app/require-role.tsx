import { Fragment, useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { PersonContext } from '../api/person-context';
import type { Role, User } from '../api/types';
import { useSession } from '../api/use-session';
import type { ReturnTo } from '../shared/return-to';
import { toast } from '../shared/ui/toast';
import { useHasUnsavedWork } from '../shared/unsaved-work';
import { homeOf, signInFor } from './access';

/**
 * Admits one role. Everyone else is redirected to the sign-in of this portal, or home. If the session ends while a form
 * is unsaved, the screen stays, and the same person can sign in again on it.
 */
export function RequireRole({ only }: { only: Role }) {
  const state = useSession();
  const hasUnsavedWork = useHasUnsavedWork();
  const location = useLocation();
  /** The owner of these screens. */
  const person = useRef<User | null>(null);
  const user = state.status === 'signedIn' ? state.user : null;
  const isSignedOut = state.status === 'anonymous' && !state.ended;
  const isHeld = user === null && !isSignedOut && hasUnsavedWork && person.current?.role === only;

  const isTakenOver = user !== null && person.current !== null && user.id !== person.current.id;
  const isLost = isTakenOver && hasUnsavedWork;
  useEffect(() => {
    if (isLost) {
      toast.error('Another account signed in in another tab. Unsaved changes on this page are lost.');
    }
  }, [isLost]);

  if (user?.role === only) {
    person.current = user;
  } else if (user) {
    return <Navigate to={homeOf[user.role]} replace />;
  } else if (!isHeld) {
    const hasLeft = isSignedOut && person.current !== null;
    return (
      <Navigate
        to={signInFor(location.pathname)}
        replace
        state={hasLeft ? null : returnToHere(location, person.current)}
      />
    );
  }

  return (
    <PersonContext value={isHeld ? person.current : null}>
      {/* The next person's screens are mounted again, without state of the last person. */}
      <Fragment key={person.current?.id}>
        <Outlet />
      </Fragment>
    </PersonContext>
  );
}

function returnToHere(location: { pathname: string; search: string }, person: User | null): ReturnTo {
  return {
    returnTo: `${location.pathname}${location.search}`,
    ...(person ? { userId: person.id } : {}),
    ...(person?.clientCode ? { clientCode: person.clientCode } : {}),
  };
}
