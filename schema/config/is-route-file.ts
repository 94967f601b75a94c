/** Whether a file has route tests, by its name: such files may stand beside configs, and are none. */
export const isRouteFile = (name: string): boolean => /\.route\.(?:json|ya?ml)$/.test(name);
