/** Whether a string can be written in YAML without quotes in any context. */
export const isPlainScalar = (text: string): boolean =>
  /^[A-Za-z$][\w.@/-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
