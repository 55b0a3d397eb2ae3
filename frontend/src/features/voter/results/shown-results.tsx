import { later } from '../later';
import type { ListedResultProps } from './listed-result';
import type { ResultCardProps } from './result-card';
import type { SpokenResultProps } from './spoken-result';

/** There is no result before the first declaration. The service worker keeps these files until then. */
export const ResultCard = later<ResultCardProps>(
  () => import('./result-card').then((loaded) => loaded.ResultCard),
  NotLoaded,
);

export const ListedResult = later<ListedResultProps>(
  () => import('./listed-result').then((loaded) => loaded.ListedResult),
  NotLoaded,
);

export const SpokenResult = later<SpokenResultProps>(() =>
  import('./spoken-result').then((loaded) => loaded.SpokenResult),
);

function NotLoaded() {
  return <p role="alert">The result is declared, but cannot be loaded without a network.</p>;
}
