/** Ignores the signals that a terminal sends to all of its processes. The gateway decides when those that it started end. */
export const ignoreSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
};
