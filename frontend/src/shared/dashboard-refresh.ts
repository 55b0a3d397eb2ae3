/** How often a dashboard asks again, as long as it is in sight. */
export const DASHBOARD_REFRESH_MS = 30_000;
