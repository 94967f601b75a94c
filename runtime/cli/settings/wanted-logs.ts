/** The logs that `GW_LOG` names, of `requests` and `hooks`; their lines are JSON on standard output. */
export const wantedLogs = (variable: string | undefined): ReadonlySet<string> =>
  new Set((variable ?? '').split(',').filter((name) => name === 'requests' || name === 'hooks'));
