/** A plugin that cannot be used here, before any request: what it is not, or what it threw. */
export class PluginError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PluginError';
  }
}
