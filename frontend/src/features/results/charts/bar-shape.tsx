import type { OptionRole } from '../../../api/types';

interface BarShapeProps {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  meaning: OptionRole;
}

const TONES: Record<OptionRole, string> = {
  yes: 'var(--plenum-yes)',
  no: 'var(--plenum-no)',
  abstain: 'var(--plenum-abstain)',
  choice: 'var(--plenum-accent)',
};

const STRIPE_EVERY = 6;

/** Yes is filled, no is striped, abstain is an outline: they differ in black and white print as well. */
export function BarShape({ x = 0, y = 0, width = 0, height = 0, meaning }: BarShapeProps) {
  const tone = TONES[meaning];
  if (width <= 0) {
    return null;
  }
  if (meaning === 'abstain') {
    return (
      <rect
        x={x + 1}
        y={y + 1}
        width={Math.max(width - 2, 0)}
        height={height - 2}
        fill="none"
        stroke={tone}
        strokeWidth={2}
      />
    );
  }
  const stripes = meaning === 'no' ? Math.floor(width / STRIPE_EVERY) : 0;
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} fill={tone} />
      {Array.from({ length: stripes }, (_, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: all stripes are equal.
          key={index}
          x={x + (index + 1) * STRIPE_EVERY - 1.5}
          y={y}
          width={1.5}
          height={height}
          fill="var(--plenum-surface)"
        />
      ))}
    </g>
  );
}
