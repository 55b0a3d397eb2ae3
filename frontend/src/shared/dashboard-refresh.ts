/** The interval at which a visible dashboard reloads its numbers. */
export const DASHBOARD_REFRESH_MS = 30_000;
