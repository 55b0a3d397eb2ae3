/**
 * Does something for each, so many at once, and gives back the results in the order of the items. The first error ends
 * it when those that are under way have ended, so that nothing goes on behind the back of whoever tidies up.
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
