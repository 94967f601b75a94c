const logs: readonly string[] = ['requests', 'hooks'];

const namesIn = (variable = ''): readonly string[] => variable.split(',').map((name) => name.trim());

/** Returns the logs that `GW_LOG` names, out of `requests` and `hooks`. Their lines are JSON on standard output. */
export const wantedLogs = (variable: string | undefined): ReadonlySet<string> =>
  new Set(namesIn(variable).filter((name) => logs.includes(name)));

/** Lists two sentences for each other name in `GW_LOG`: that it is not a log, and what to write. */
export const unknownLogs = (variable: string | undefined): readonly string[] =>
  namesIn(variable)
    .filter((name) => name !== '' && !logs.includes(name))
    .map((name) => `GW_LOG names ${JSON.stringify(name)}, but there is no such log. Use ${logs.join(', ')} or both.`);
