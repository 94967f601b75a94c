/** Creates the error of a check that did not return in time. */
export const lateError = (
  plugin: string,
  { check, withinMs }: { readonly check: string; readonly withinMs: number },
): Error =>
  Object.assign(
    new Error(`The check "${check}" of the isolated plugin "${plugin}" did not answer within ${withinMs} ms.`),
    { name: 'TimeoutError' },
  );
