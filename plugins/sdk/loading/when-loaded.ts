/** Thrown by an object of which only the name is known, if code uses more of it before it is loaded. */
export class CodeNotLoaded extends Error {
  override readonly name = 'CodeNotLoaded';
  /** Loads the code. After a failure it can be called again. */
  readonly load: () => Promise<unknown>;

  constructor(what: string, load: () => Promise<unknown>) {
    super(`The code of ${what} is not loaded.`);
    this.load = load;
  }
}

/**
 * Returns the result of `work`: immediately if all the code that it needs is loaded, otherwise after loading it. `work` restarts
 * from the beginning each time, so it must have no lasting effect when it throws. Rejects if code cannot be loaded.
 */
export const whenLoaded = <Result>(work: () => Result | Promise<Result>): Result | Promise<Result> => {
  const again = async (error: unknown): Promise<Result> => {
    if (!(error instanceof CodeNotLoaded)) throw error;
    await error.load();
    return whenLoaded(work);
  };
  try {
    const made = work();
    return made instanceof Promise ? made.catch(again) : made;
  } catch (error) {
    return again(error);
  }
};
