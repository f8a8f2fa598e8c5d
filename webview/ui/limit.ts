import { useModel } from "../model.ts";

/**
 * Rows of a long list that are drawn: `step` at first, and so many more with each call of what comes second. It is kept
 * as the place in the list is, which would not be there without them.
 */
export function useLimit(list: string, step: number): [limit: number, showMore: () => void] {
  const { view } = useModel();
  const limit = view.limits.value[list] ?? step;
  return [
    limit,
    () => {
      view.limits.value = { ...view.limits.peek(), [list]: limit + step };
    },
  ];
}
