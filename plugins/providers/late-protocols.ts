import type { Provider } from '../sdk/provider/provider.ts';

/** Services with an account or an API of their own that few configs have, each in a folder of its name; sorted by id. */
export const lateProtocols: readonly Provider[] = [];
