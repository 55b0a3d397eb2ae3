import { Navigate, type RouteObject } from 'react-router';
import { paths } from '../shared/paths';
import { LoadingScreen } from '../shared/ui/loading-screen';
import { redirects } from './access';
import { ErrorPage } from './error-page';
import { RequireRole } from './require-role';
import { SessionGate } from './session-gate';
import { SkipSignIn } from './skip-sign-in';
import { StartPage } from './start-page';

/** Every screen is loaded when it is first visited, so that a voter's phone gets the voter's screens only. */
export const routes: RouteObject[] = [
  {
    HydrateFallback: LoadingScreen,
    ErrorBoundary: ErrorPage,
    children: [
      {
        path: '/presentation/meeting/:meetingId',
        lazy: async () => ({
          Component: (await import('../features/presentation/presentation-page')).PresentationPage,
        }),
      },
      {
        Component: SessionGate,
        children: [
          { index: true, Component: StartPage },
          ...redirects.map(({ from, to }) => ({ path: from, element: <Navigate to={to} replace /> })),

          {
            element: <SkipSignIn key="SUPER_ADMIN" for="SUPER_ADMIN" />,
            children: [
              {
                path: '/admin/login',
                lazy: async () => ({
                  Component: (await import('../features/sign-in/admin-login-page')).AdminLoginPage,
                }),
              },
            ],
          },
          {
            path: '/admin',
            element: <RequireRole only="SUPER_ADMIN" />,
            children: [
              {
                lazy: async () => ({
                  Component: (await import('../features/portal/admin-layout')).AdminLayout,
                }),
                children: [
                  {
                    index: true,
                    lazy: async () => ({
                      Component: (await import('../features/clients/admin-dashboard-page'))
                        .AdminDashboardPage,
                    }),
                  },
                  {
                    path: 'clients',
                    lazy: async () => ({
                      Component: (await import('../features/clients/clients-page')).ClientsPage,
                    }),
                  },
                ],
              },
              { path: 'tests', element: <Navigate to={paths.admin} replace /> },
            ],
          },

          {
            element: <SkipSignIn key="CLIENT" for="CLIENT" />,
            children: [
              {
                path: '/client/login',
                lazy: async () => ({
                  Component: (await import('../features/sign-in/client-login-page')).ClientLoginPage,
                }),
              },
            ],
          },
          {
            path: '/client',
            element: <RequireRole only="CLIENT" />,
            children: [
              {
                lazy: async () => ({
                  Component: (await import('../features/portal/client-layout')).ClientLayout,
                }),
                children: [
                  {
                    index: true,
                    lazy: async () => ({
                      Component: (await import('../features/end-users/client-dashboard-page'))
                        .ClientDashboardPage,
                    }),
                  },
                  {
                    path: 'end-users',
                    lazy: async () => ({
                      Component: (await import('../features/end-users/end-users-page')).EndUsersPage,
                    }),
                  },
                  {
                    path: 'meetings',
                    lazy: async () => ({
                      Component: (await import('../features/meetings/meetings-page')).MeetingsPage,
                    }),
                  },
                  {
                    path: 'meetings/:meetingId/questions',
                    lazy: async () => ({
                      Component: (await import('../features/questions/questions-page')).QuestionsPage,
                    }),
                  },
                ],
              },
              {
                // The stage needs the whole width: it stands outside the portal's layout.
                path: 'meetings/:meetingId/control',
                lazy: async () => ({
                  Component: (await import('../features/control/control-page')).ControlPage,
                }),
              },
            ],
          },

          {
            path: '/participant',
            lazy: async () => ({
              Component: (await import('../features/voter/participant-portal-page')).ParticipantPortalPage,
            }),
          },
          {
            element: <SkipSignIn key="END_USER" for="END_USER" />,
            children: [
              {
                path: '/participant/login/:clientCode?',
                lazy: async () => ({
                  Component: (await import('../features/voter/participant-login-page')).ParticipantLoginPage,
                }),
              },
            ],
          },
          {
            path: '/vote/:linkToken',
            lazy: async () => ({
              Component: (await import('../features/voter/invitation-page')).InvitationPage,
            }),
          },
          {
            path: '/voting',
            element: <RequireRole only="END_USER" />,
            children: [
              {
                index: true,
                lazy: async () => ({
                  Component: (await import('../features/voter/meetings-page')).VoterMeetingsPage,
                }),
              },
              {
                path: 'meeting/:meetingId',
                lazy: async () => ({
                  Component: (await import('../features/voter/live-voting-page')).LiveVotingPage,
                }),
              },
            ],
          },

          { path: '*', element: <Navigate to={paths.home} replace /> },
        ],
      },
    ],
  },
];
