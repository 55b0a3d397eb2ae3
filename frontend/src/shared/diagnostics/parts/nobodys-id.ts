/** An id that does not exist. If a server lets a call through by mistake, the call must not affect any data. */
export const NOBODYS_ID = '00000000-0000-7000-8000-000000000000';
