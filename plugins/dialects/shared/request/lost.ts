/** The parts of a conversation that could not be expressed, by path: `sampling.seed`, `turns[1].parts[0].cache`. */
export type Lost = string[];

/** Records a loss, and returns undefined in place of the lost value. */
export const recordLoss = (path: string, lost: Lost): undefined => {
  lost.push(path);
};
