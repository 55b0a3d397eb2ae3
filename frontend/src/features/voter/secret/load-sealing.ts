/** Loads the code that seals ballots. The ballot form does it when a secret question opens. */
export const loadSealing = () => import('./submit-sealed');

export const ignore = () => undefined;
