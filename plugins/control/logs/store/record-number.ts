/** How many numbers a millisecond has. */
const perMillisecond = 1024;

const latest = Math.floor(Number.MAX_SAFE_INTEGER / perMillisecond);

/** The first number of a record of a time, in milliseconds since the epoch: numbers grow with the time. */
export const toFirstNumber = (time: number): number => Math.min(Math.max(0, Math.floor(time)), latest) * perMillisecond;

/** The time of a number. */
export const timeOfNumber = (number: number): number => Math.floor(number / perMillisecond);
