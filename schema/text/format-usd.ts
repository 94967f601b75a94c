/** Formats billionths of a US dollar as dollars, in decimal digits without trailing zeros: `0.00325`. */
export const formatUsd = (nanoUsd: number | bigint): string => {
  const sign = nanoUsd < 0 ? '-' : '';
  const digits = String(nanoUsd < 0 ? -nanoUsd : nanoUsd).padStart(10, '0');
  const point = digits.length - 9;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  return sign + digits.slice(0, point) + (end === point ? '' : `.${digits.slice(point, end)}`);
};
