/**
 * Runs an action for each item, `atOnce` at a time, and returns the results in the order of the items. The first error
 * stops it once the running actions have ended. So nothing goes on while the caller deletes its data.
 */
export async function several<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  let failed: { error: unknown } | null = null;
  const lane = async () => {
    while (next < items.length && failed === null) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item, index);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failed !== null) {
    throw (failed as { error: unknown }).error;
  }
  return results;
}
