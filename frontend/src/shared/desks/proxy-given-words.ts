interface Principal {
  /** The names of those who hold a proxy of the person. */
  holders: string[];
  /** Truthy while the person is checked in: then the proxy rests. */
  present: unknown;
}

/** "Gave a proxy to Ben Cole", and that it rests while the person is here. */
export function proxyGivenWords({ holders, present }: Principal): string {
  const given = `Gave a proxy to ${holders.join(', ')}`;
  return present ? `${given}, which rests while they are here` : given;
}
