import { Notice } from '../notice';

/** In place of the ballot of a secret question, while the server cannot confirm the key for which ballots are sealed. */
export function UnconfirmedKey() {
  return (
    <Notice tone="refused" title="You cannot vote at the moment">
      <p>
        The server could not confirm the key of this secret vote. Without it, somebody else might read your
        ballot, so nothing is sent. Please tell the organizers.
      </p>
      <p>The ballot appears here as soon as the key is confirmed.</p>
    </Notice>
  );
}
