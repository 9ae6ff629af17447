/**
 * Runs `work` for every item with at most `limit` under way, and answers in the order of the items. One that
 * hangs holds up no other as long as fewer than `limit` hang (V7). `work` must not reject.
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
