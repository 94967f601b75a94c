/** The texts of everything around the pages. */
export const texts = {
  product: 'Gatewright',
  skip: 'Skip to content',
  loading: 'Loading…',
  retry: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'The browser blocked copying. Select the text and copy it yourself.',
  navigation: 'Main navigation',
  menu: 'Menu',
  groups: { observe: 'Observe', route: 'Route', access: 'Access' },
  workspace: 'Workspace',
  allWorkspaces: 'Default workspace',
  workspaceHint: 'Leave it empty for the default workspace.',
  unknownWorkspace: 'No workspace has this name.',
  signOut: 'Sign out',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  anonymous: 'this key',
  previous: 'Previous',
  longList: 'Type the name or a part of it.',
  keyIdHint: 'The ID of the key. Your own key may not list names.',
  unknownKey: 'No key has this name. Enter the whole name of a key.',
  ambiguousKey: (names: readonly string[]): string =>
    `Several keys have this name. Enter one of these: ${names.join(', ')}`,
  next: 'Next',
  pageRange: (from: string, to: string, total: string): string => `${from}–${to} of ${total}`,
  theme: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
  palette: {
    open: 'Search…',
    keys: 'Ctrl K',
    keysOfMac: '⌘K',
    label: 'Commands',
    placeholder: 'Go to a page or run a command',
    none: 'No command matches.',
    goTo: (title: string): string => `Go to ${title}`,
    theme: (theme: string): string => `Theme: ${theme}`,
    workspace: (name: string): string => `Workspace: ${name}`,
    count: (count: number): string => (count === 1 ? '1 command' : `${count} commands`),
  },
  signIn: {
    unknown: 'This key is unknown, expired or revoked. Create another one, as shown below.',
    title: 'Sign in to Gatewright',
    label: 'Key',
    hint: 'The session ends after 12 hours, when you sign out, or when the key becomes invalid.',
    submit: 'Sign in',
    busy: 'Signing in…',
    missing: 'Enter a key.',
    ended:
      'Your session has ended. Sign in with the same key to continue where you were. With another key, what you have typed is lost.',
    where:
      'No key yet? The admin key is the value of GW_ADMIN_KEY that the gateway was started with. To create another key:',
    command: (scopes: readonly string[]): string => `gw keys create --name viewer --scopes ${scopes.join(',')}`,
  },
  errors: {
    status: (status: number): string =>
      `The gateway responded with status ${status}. Try again, or look for the cause in the log of the gateway.`,
    unreachable:
      'The gateway is not responding. Check that it is running and that this browser can reach it, then try again.',
    unreadable:
      'The response is incomplete, or does not come from the gateway. Try again. If a proxy in front of the gateway asks for a sign-in, reload this page.',
    sessionEnded: 'Your session had ended, so nothing was done. Try again.',
    unknown: 'Something on this page failed. Reload the page.',
    title: 'This could not be loaded',
    code: (code: string): string => `Code ${code}`,
    atFields: 'Nothing was saved. Correct the fields that show an error.',
    page: 'This page could not be loaded',
  },
  conflict: {
    lead: 'Somebody else has changed this in the meantime, and nothing was saved: overwrite the stored values below with yours, or cancel to keep them.',
    overwrite: 'Overwrite',
  },
  gone: 'Somebody else has deleted this in the meantime.',
  editNeeds: (scope: string): string =>
    `Your key cannot edit these: that also needs the scope ${scope}, so that no change of somebody else is overwritten.`,
  notFound: {
    title: 'Page not found',
    hint: 'The address may be mistyped, or the page belongs to another version of the gateway.',
    back: 'Go to the start page',
  },
  forbidden: {
    title: 'Your key cannot view this page',
    hint: (scopes: string): string =>
      `This page needs the scopes ${scopes}. Sign in with another key, or add the scopes to this one:`,
    command: (id: string, scopes: string): string => `gw keys update ${id} --scopes ${scopes}`,
  },
  nothing: {
    title: 'Your key cannot view any page',
    hint: 'Its scopes allow only requests to models. Sign in with a key that has scopes of the control plane.',
  },
} as const;
