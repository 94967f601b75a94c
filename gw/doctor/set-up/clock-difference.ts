/** Signatures of clouds and tokens are refused from a few minutes on, and short-lived tokens sooner. */
const allowedMs = 60_000;

/** Whether the clock of this machine is too many milliseconds ahead of another one, or behind it. */
export const isOff = (ms: number): boolean => Math.abs(ms) > allowedMs;

/** "60 minutes ahead of", to be followed by the other clock. */
export const describeDifference = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${amount} ${ms > 0 ? 'ahead of' : 'behind'}`;
};

export const clockRemedy = 'Set the clock, and keep it right with NTP (timedatectl set-ntp true).';
