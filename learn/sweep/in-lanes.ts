/** Works on items, so many at once, as long as `goesOn`; returns those that it has not begun. */
export async function workInLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
  goesOn: () => boolean,
): Promise<readonly Item[]> {
  const waiting = [...items]
  const workInLane = async () => {
    while (goesOn()) {
      const item = waiting.shift()
      if (item === undefined) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, workInLane))
  return waiting
}
