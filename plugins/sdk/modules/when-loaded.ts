/** Thrown by what is known by its name alone, where more of it is asked for before its code is there. */
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
 * Returns the result of `work`: at once if all the code that it needs is there, else after that is loaded. The work is
 * begun again each time, so it must leave nothing behind when it throws. Rejects if code cannot be loaded.
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
