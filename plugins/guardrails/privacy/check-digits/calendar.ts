const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether a month has such a day in any year. */
export const isDay = (day: number, month: number): boolean => day >= 1 && day <= (longest[month - 1] ?? 0);
