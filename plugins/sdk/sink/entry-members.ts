/** The members that each entry of `log.sinks` in the gateway file accepts in addition to the options of its sink. */
export const entryMembers: readonly string[] = ['sink', 'name', 'workspaces', 'sample'];
