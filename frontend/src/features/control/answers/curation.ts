import type { AnswerCuration, CurateAnswersBody } from '../../../api/types';

type Parts = Omit<CurateAnswersBody, 'version'>;

/**
 * The change of a curation; every change is stored at once. Then the answers that it has `used` are no longer selected, and
 * `onStored` is called.
 */
export type Change = (
  change: (parts: Parts) => Parts,
  used?: readonly string[],
  onStored?: () => void,
) => void;

/** The curation as it is stored, for the next change. */
export function partsOf({ isShown, picked, groups, hidden }: AnswerCuration): Parts {
  return { isShown, picked, hidden, groups: groups.map(({ name, answers }) => ({ name, answers })) };
}

/** The curation in which these answers have no place. A group without answers is gone. */
export function without(parts: Parts, ids: readonly string[]): Parts {
  const rest = (answers: string[]) => answers.filter((id) => !ids.includes(id));
  return {
    ...parts,
    picked: rest(parts.picked),
    hidden: rest(parts.hidden),
    groups: parts.groups
      .map(({ name, answers }) => ({ name, answers: rest(answers) }))
      .filter(({ answers }) => answers.length > 0),
  };
}

export function withPicked(parts: Parts, id: string): Parts {
  const rest = without(parts, [id]);
  return { ...rest, picked: [...rest.picked, id] };
}

export function withHidden(parts: Parts, ids: readonly string[]): Parts {
  const rest = without(parts, ids);
  return { ...rest, hidden: [...rest.hidden, ...ids] };
}

/** Adds these answers to the group with this heading, which may be new. */
export function withGroup(parts: Parts, heading: string, ids: readonly string[]): Parts {
  const name = heading.trim();
  const rest = without(parts, ids);
  const known = rest.groups.some((group) => group.name === name);
  return {
    ...rest,
    groups: known
      ? rest.groups.map((group) =>
          group.name === name ? { name, answers: [...group.answers, ...ids] } : group,
        )
      : [...rest.groups, { name, answers: [...ids] }],
  };
}

export function withoutGroup(parts: Parts, name: string): Parts {
  return { ...parts, groups: parts.groups.filter((group) => group.name !== name) };
}
