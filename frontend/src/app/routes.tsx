import { Navigate, type RouteObject } from 'react-router';
import { LoadingScreen } from '../shared/ui/loading-screen';
import { redirects } from './access';
import { ErrorPage } from './error-page';
import { NotFoundRedirect } from './not-found-redirect';
import { RedirectIfAuthenticated } from './redirect-if-authenticated';
import { RequireRole } from './require-role';
import { ScreenChange } from './screen-change';
import { SessionGate } from './session-gate';
import { StartPage } from './start-page';

/** Every screen is loaded on its first visit, so that a voter's phone loads only voters' screens. */
export const routes: RouteObject[] = [
  {
    Component: ScreenChange,
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
        path: '/forgotten-password',
        lazy: async () => ({
          Component: (await import('../features/sign-in/forgotten-password-page')).ForgottenPasswordPage,
        }),
      },
      {
        path: '/verify',
        lazy: async () => ({ Component: (await import('../features/verify/verify-page')).VerifyPage }),
      },
      {
        path: '/desk',
        lazy: async () => ({ Component: (await import('../features/desk/desk-page')).DeskPage }),
      },
      {
        path: '/secrecy',
        lazy: async () => ({ Component: (await import('../features/secrecy/secrecy-page')).SecrecyPage }),
      },
      {
        path: '/reset-password',
        lazy: async () => ({
          Component: (await import('../features/sign-in/reset-password-page')).ResetPasswordPage,
        }),
      },
      {
        Component: SessionGate,
        children: [
          { index: true, Component: StartPage },
          ...redirects.map(({ from, to }) => ({ path: from, element: <Navigate to={to} replace /> })),

          {
            element: <RedirectIfAuthenticated key="SUPER_ADMIN" for="SUPER_ADMIN" />,
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
                  {
                    path: 'users',
                    lazy: async () => ({
                      Component: (await import('../features/accounts/accounts-page')).AccountsPage,
                    }),
                  },
                  {
                    path: 'reports',
                    lazy: async () => ({
                      Component: (await import('../features/reports/reports-page')).ReportsPage,
                    }),
                  },
                  {
                    path: 'tests',
                    lazy: async () => ({
                      Component: (await import('../features/diagnostics/admin-tests-page')).AdminTestsPage,
                    }),
                  },
                  {
                    path: 'audit',
                    lazy: async () => ({
                      Component: (await import('../features/audit/admin-audit-page')).AdminAuditPage,
                    }),
                  },
                  {
                    path: 'account',
                    lazy: async () => ({
                      Component: (await import('../features/account/account-page')).AccountPage,
                    }),
                  },
                ],
              },
            ],
          },

          {
            element: <RedirectIfAuthenticated key="CLIENT" for="CLIENT" />,
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
                      Component: (await import('../features/guide/client-dashboard-page'))
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
                    path: 'groups',
                    lazy: async () => ({
                      Component: (await import('../features/groups/groups-page')).GroupsPage,
                    }),
                  },
                  {
                    path: 'weight-kinds',
                    lazy: async () => ({
                      Component: (await import('../features/weight-kinds/weight-kinds-page')).WeightKindsPage,
                    }),
                  },
                  {
                    path: 'end-users/import',
                    lazy: async () => ({
                      Component: (await import('../features/end-user-import/import-page')).ImportPage,
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
                  {
                    path: 'meetings/:meetingId/results',
                    lazy: async () => ({
                      Component: (await import('../features/results/results-page')).ResultsPage,
                    }),
                  },
                  {
                    path: 'tests',
                    lazy: async () => ({
                      Component: (await import('../features/diagnostics/client-tests-page')).ClientTestsPage,
                    }),
                  },
                  {
                    path: 'meetings/:meetingId/proxies',
                    lazy: async () => ({
                      Component: (await import('../features/proxies/proxies-page')).ProxiesPage,
                    }),
                  },
                  {
                    path: 'meetings/:meetingId/paper',
                    lazy: async () => ({
                      Component: (await import('../features/paper/paper-page')).PaperPage,
                    }),
                  },
                  {
                    path: 'meetings/:meetingId/readiness',
                    lazy: async () => ({
                      Component: (await import('../features/readiness/readiness-page')).ReadinessPage,
                    }),
                  },
                  {
                    path: 'branding',
                    lazy: async () => ({
                      Component: (await import('../features/branding/branding-page')).BrandingPage,
                    }),
                  },
                  {
                    path: 'audit',
                    lazy: async () => ({
                      Component: (await import('../features/audit/client-audit-page')).ClientAuditPage,
                    }),
                  },
                  {
                    path: 'account',
                    lazy: async () => ({
                      Component: (await import('../features/account/account-page')).AccountPage,
                    }),
                  },
                ],
              },
              {
                // The control view needs the whole width, so it is outside the portal's layout.
                path: 'meetings/:meetingId/control',
                lazy: async () => ({
                  Component: (await import('../features/control/control-page')).ControlPage,
                }),
              },
            ],
          },

          {
            element: <RedirectIfAuthenticated key="END_USER back" for="END_USER" onlyBack />,
            children: [
              {
                path: '/participant',
                lazy: async () => ({
                  Component: (await import('../features/voter/join/participant-portal-page'))
                    .ParticipantPortalPage,
                }),
              },
            ],
          },
          {
            element: <RedirectIfAuthenticated key="END_USER" for="END_USER" />,
            children: [
              {
                path: '/participant/login/:clientCode?',
                lazy: async () => ({
                  Component: (await import('../features/voter/join/participant-login-page'))
                    .ParticipantLoginPage,
                }),
              },
            ],
          },
          {
            path: '/join',
            lazy: async () => ({
              Component: (await import('../features/voter/join/join-link-page')).JoinLinkPage,
            }),
          },
          {
            path: '/vote/:linkToken',
            lazy: async () => ({
              Component: (await import('../features/voter/join/invitation-page')).InvitationPage,
            }),
          },
          {
            path: '/voting',
            element: <RequireRole only="END_USER" />,
            children: [
              {
                index: true,
                lazy: async () => ({
                  Component: (await import('../features/voter/join/meetings-page')).VoterMeetingsPage,
                }),
              },
              {
                path: 'account',
                lazy: async () => ({
                  Component: (await import('../features/voter/account-page')).VoterAccountPage,
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

          { path: '*', Component: NotFoundRedirect },
        ],
      },
    ],
  },
];
