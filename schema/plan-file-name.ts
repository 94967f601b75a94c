/**
 * What a plan's files are called, and what callers send as `x-gw-config`: the plan's name, with a dash for whatever
 * cannot stand in a file's name or a header on every machine.
 */
export const planFileName = (name: string): string => {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  return safe === '' ? 'plan' : safe;
};
