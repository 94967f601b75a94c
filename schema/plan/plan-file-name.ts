/**
 * Returns the base name of a plan's files, which callers send as `x-gw-config`: the plan's name, with dashes instead of
 * characters that file names or headers do not allow on every system.
 */
export const planFileName = (name: string): string => {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  return safe === '' ? 'plan' : safe;
};
