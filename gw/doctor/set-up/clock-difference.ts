/** The allowed difference. Clouds reject signatures and tokens from a few minutes on, and short-lived tokens sooner. */
const allowedMs = 60_000;

/** Whether the clock of this machine differs from another one by more milliseconds than allowed. */
export const isOff = (ms: number): boolean => Math.abs(ms) > allowedMs;

/** Describes a difference as "60 minutes ahead of", to be followed by the other clock. */
export const describeDifference = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${amount} ${ms > 0 ? 'ahead of' : 'behind'}`;
};

export const clockRemedy = 'Set the clock, and keep it right with NTP (timedatectl set-ntp true).';
