const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The texts of one config, and of a new one. */
export const texts = {
  title: 'Config',
  compiler: { notLoaded: 'The compiler could not be loaded. Reload the page.', closed: 'The compiler was closed.' },
  lead: (slug: string, version: number): string => `${slug}, version ${version} in service`,
  toPlan: 'Plan and metrics',
  editor: (slug: string): string => `The config ${slug} as JSON`,
  readOnly: 'Your key can view this config but not change it. Changes need the scope configs.update.',
  kept: 'Unsaved changes from an earlier visit were restored.',
  unsaved: 'Unsaved changes',
  discard: 'Discard changes',
  views: { label: 'Views of the config', edit: 'Edit', history: 'History' },
  sides: { label: 'Side panel', picture: 'Plan', difference: 'Difference' },
  findings: {
    label: 'Findings',
    severities: { error: 'Error', warning: 'Warning', note: 'Note' },
    line: (line: number): string => `Line ${line}`,
    errors: (errors: number): string => `${count(errors, 'error', 'errors')}: a config with errors cannot be saved.`,
    notJson: 'This is not a JSON object.',
    waiting: 'Checking…',
    none: (warnings: number): string =>
      warnings === 0 ? 'No problems found.' : `No errors, ${count(warnings, 'warning', 'warnings')}.`,
    notChecked: 'The compiler on this page is not responding, so the text is not checked. Reload the page.',
    compilerFailed: 'The compiler on this page is not responding. The gateway still checks the text.',
  },
  picture: {
    none: 'No plan to show: the config has errors.',
    stale: 'The text has errors. This is the plan of the last valid text.',
    line: (line: number): string => `Go to line ${line}`,
    bounds: (leaves: number, attempts: number, longest: string): string =>
      `${count(leaves, 'target', 'targets')} can respond. A request makes at most ${count(attempts, 'call', 'calls')}, and its response starts within ${longest}.`,
  },
  difference: {
    same: 'Requests are handled the same way as now.',
    differs: 'Some requests are handled differently:',
    incomplete: 'Some parts could not be compared.',
    waiting: 'Comparing with the version in service…',
    none: 'Nothing to compare: there is no other version, or one of the two has errors.',
  },
  save: {
    open: 'Review and save…',
    title: (version: number): string => `Save version ${version + 1}`,
    action: 'Save and put in service',
    cancel: 'Cancel',
    done: 'The new version is in service.',
  },
  race: {
    title: (version: number): string => `Version ${version} was saved in the meantime`,
    lead: 'Someone else saved a version after you started editing. Use theirs, or keep yours. If you keep yours, it is compared with their version, and saving replaces theirs.',
    theirs: (version: number): string => `Version ${version}, in service`,
    mine: 'Yours, unsaved',
    takeTheirs: 'Use theirs',
    keepMine: 'Keep mine',
  },
  history: {
    caption: (slug: string): string => `Versions of ${slug}`,
    columns: { version: 'Version', when: 'Saved', who: 'By', actions: 'Actions' },
    inService: 'in service',
    nobody: 'the gateway',
    changes: 'Changes',
    changesOf: (version: number): string => `Changes of version ${version}`,
    compare: 'Compare with current',
    compareOf: (version: number): string => `Compare with current: version ${version}`,
    backTo: (version: number): string => `Restore version ${version}`,
    restoreTitle: (version: number): string => `Restore version ${version}?`,
    restored: (version: number): string => `Version ${version} was restored as a new version.`,
    changedMeanwhile:
      'Someone else saved a version in the meantime. Nothing was changed. Check their version, then try again.',
  },
  compare: {
    title: (before: number, after: number): string => `From version ${before} to version ${after}`,
    before: 'From version',
    after: 'To version',
    version: (version: number): string => `Version ${version}`,
  },
};
