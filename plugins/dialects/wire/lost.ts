/** What of a conversation could not be said, by path: `sampling.seed`, `turns[1].parts[0].cache`. */
export type Lost = string[];

/** Notes a loss; nothing stands in for what was lost. */
export const dropped = (path: string, lost: Lost): undefined => {
  lost.push(path);
};
