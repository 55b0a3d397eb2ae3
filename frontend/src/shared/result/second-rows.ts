import type { Result } from '../../api/types';

export type SecondCounts = Pick<
  NonNullable<Result['secondWeight']>,
  'options' | 'votesCast' | 'present' | 'register'
>;

interface SecondRow {
  key: string;
  label: string;
  weight: number;
}

/** The sums by the second weight: of each option, then of the votes cast, those present and the register. */
export function secondRows(
  { options: sums, votesCast, present, register }: SecondCounts,
  options: Pick<Result['options'][number], 'id' | 'text'>[],
): SecondRow[] {
  const text = (id: string) => options.find((option) => option.id === id)?.text ?? '';
  return [
    ...sums.map(({ id, weight }) => ({ key: id, label: text(id), weight })),
    { key: 'votesCast', label: 'Votes cast', weight: votesCast.weight },
    { key: 'present', label: 'Present', weight: present.weight },
    { key: 'register', label: 'Register', weight: register.weight },
  ];
}
