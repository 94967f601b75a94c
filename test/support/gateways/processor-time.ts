/**
 * Measures the milliseconds of processor time that a function takes on this thread. Elapsed time would depend on how busy the
 * machine is.
 */
export const processorMs = (run: () => void): number => {
  const before = process.threadCpuUsage();
  run();
  return process.threadCpuUsage(before).user / 1000;
};
