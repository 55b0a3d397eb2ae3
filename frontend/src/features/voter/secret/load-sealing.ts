/** Loads the code that seals ballots. The ballot form does it when a secret question opens. */
export const loadSealing = () => import('../../../shared/sealing/seal-ballot');

export const ignore = () => undefined;
