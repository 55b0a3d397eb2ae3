/*
 * What a value from outside has to look like. Forms are checked by zod, which says what is wrong with them; here a yes
 * or no is enough, and this travels to every voter's phone.
 */
export type Shape<T> = (value: unknown) => value is T;

/** The type of what has this shape. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

export const text: Shape<string> = (value) => typeof value === 'string';
export const number: Shape<number> = (value) => typeof value === 'number';
export const flag: Shape<boolean> = (value) => typeof value === 'boolean';

export function oneOf<const T extends string>(...texts: T[]): Shape<T> {
  return (value): value is T => texts.some((one) => one === value);
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value);
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value);
}

export function listOf<T>(shape: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(shape);
}

type Fields = Record<string, Shape<unknown>>;
type ObjectOf<F extends Fields> = { [Name in keyof F]: Shaped<F[Name]> };

/** Fields that are not named may be there as well: a newer server may send more. */
export function object<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  const shapes = Object.entries(fields);
  return (value): value is ObjectOf<F> =>
    typeof value === 'object' &&
    value !== null &&
    shapes.every(([name, shape]) => shape((value as Record<string, unknown>)[name]));
}

export function either<const S extends Shape<unknown>[]>(...shapes: S): Shape<Shaped<S[number]>> {
  return (value): value is Shaped<S[number]> => shapes.some((shape) => shape(value));
}

/** The value, or null where it looks otherwise. */
export function shaped<T>(shape: Shape<T>, value: unknown): T | null {
  return shape(value) ? value : null;
}
