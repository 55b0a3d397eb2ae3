const ROWS = [
  { radius: 70, seats: 9 },
  { radius: 102, seats: 13 },
  { radius: 134, seats: 17 },
  { radius: 166, seats: 21 },
  { radius: 198, seats: 25 },
];

/** A drawing of the rows in a chamber, as decoration next to the sign-in. */
export function ChamberDrawing({ className }: { className?: string }) {
  const seats = ROWS.flatMap(({ radius, seats }) =>
    Array.from({ length: seats }, (_, index) => {
      const angle = Math.PI * (1 - index / (seats - 1));
      return { x: 210 + radius * Math.cos(angle), y: 212 - radius * Math.sin(angle), radius, index };
    }),
  );
  return (
    <svg className={className} viewBox="0 0 420 226" fill="none" stroke="currentColor" aria-hidden="true">
      {seats.map(({ x, y, radius, index }) => {
        // Some seats are taken, in an arbitrary but constant pattern.
        const isTaken = (index * 7 + radius) % 5 < 2;
        return (
          <circle
            key={`${radius}-${index}`}
            cx={x.toFixed(1)}
            cy={y.toFixed(1)}
            r={8}
            strokeWidth={1.25}
            fill={isTaken ? 'currentColor' : 'none'}
            opacity={isTaken ? 0.75 : 0.5}
          />
        );
      })}
    </svg>
  );
}
