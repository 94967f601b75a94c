/**
 * Runs what sends bytes, and rejects with what the bytes themselves have thrown, where they have, whatever became of the request
 * that they were a part of.
 */
export const withOwnFault = async <Result>(
  read: () => AsyncIterable<Uint8Array>,
  send: (read: () => AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> => {
  let fault: { readonly error: unknown } | undefined;
  const noting = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* read();
    } catch (error) {
      fault = { error };
      throw error;
    }
  };
  try {
    return await send(noting);
  } catch (error) {
    throw fault === undefined ? error : fault.error;
  }
};
