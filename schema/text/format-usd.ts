/** Billionths of a US dollar as dollars, in decimal digits without zeros at the end: `0.00325`. */
export const formatUsd = (nanoUsd: number | bigint): string => {
  const sign = nanoUsd < 0 ? '-' : '';
  const digits = String(nanoUsd).replace('-', '').padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  return sign + digits.slice(0, -9) + (fraction === '' ? '' : `.${fraction}`);
};
