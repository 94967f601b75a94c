const placeholder =
  /example|sample|dummy|placeholder|redacted|changeme|change[_-]?it|your[_-]|my[_-]?(?:secret|password|token|key)|x{4}|\*{3}|\.{3}|<|\$\{|\{\{|%[a-z_]{2,40}%|0{8}|1234567890|abcdefgh/i;

/** Whether a value is only a placeholder for a secret, as in documentation. */
export const isSample = (value: string): boolean => placeholder.test(value);
