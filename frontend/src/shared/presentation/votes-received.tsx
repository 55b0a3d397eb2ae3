import { formatNumber } from '../format';

interface VotesReceivedProps {
  className: string | undefined;
  voteCount: number;
  registerSize: number;
}

/** "1,204 of 1,512 votes received" */
export function VotesReceived({ className, voteCount, registerSize }: VotesReceivedProps) {
  const of = registerSize > 0 ? ` of ${formatNumber(registerSize)}` : '';
  return (
    <p className={className}>
      <strong>{`${formatNumber(voteCount)}${of}`}</strong> votes received
    </p>
  );
}
