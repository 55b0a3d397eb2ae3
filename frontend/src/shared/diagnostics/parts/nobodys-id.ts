/** An id that nothing and nobody has: where a server lets a call through by mistake, it must not hit anybody. */
export const NOBODYS_ID = '00000000-0000-7000-8000-000000000000';
