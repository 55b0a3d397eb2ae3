/* Checks the structure of values from outside. Forms use zod, which describes each error. Here a yes or no is
   enough, and a smaller bundle matters, because every voter's phone loads it. */
export type Shape<T> = (value: unknown) => value is T;

/** The type of values with this shape. */
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
/** A field with an optional shape may be missing. */
type ObjectOf<F extends Fields> = {
  [Name in keyof F as undefined extends Shaped<F[Name]> ? never : Name]: Shaped<F[Name]>;
} & { [Name in keyof F as undefined extends Shaped<F[Name]> ? Name : never]?: Shaped<F[Name]> };

/** Other fields are allowed: a newer server may send more. */
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

/** The value, or null if it has another shape. */
export function shaped<T>(shape: Shape<T>, value: unknown): T | null {
  return shape(value) ? value : null;
}
