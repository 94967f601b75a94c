const microsOfSecond = 1_000_000;

/** `000` to `999`. */
const thousandths = Array.from({ length: 1000 }, (_each, at) => String(at).padStart(3, '0'));

let latest = { second: 0, text: '0' };

const secondText = (second: number): string => {
  if (second !== latest.second) latest = { second, text: String(second) };
  return latest.text;
};

/** Milliseconds since the epoch as the text of nanoseconds, of which microseconds are known. */
export const nanosOf = (ms: number): string => {
  // To write a number of sixteen digits takes several times as long as its parts.
  const micros = Math.round(ms * 1000);
  const second = Math.floor(micros / microsOfSecond);
  const rest = micros - second * microsOfSecond;
  return `${secondText(second)}${thousandths[Math.floor(rest / 1000)]}${thousandths[rest % 1000]}000`;
};
