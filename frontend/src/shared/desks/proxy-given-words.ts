import { listed } from '../result/listed';

interface Principal {
  name: string;
  /** The names of those who hold a proxy of the person. */
  holders: string[];
}

/** "Gave a proxy to Ben Cole", and that it rests while the person is here. */
export function proxyGivenWords({ name, holders }: Principal, isHere: boolean): string {
  const given = `Gave a proxy to ${listed(holders)}`;
  return isHere ? `${given}. It rests while ${name} is here` : given;
}
