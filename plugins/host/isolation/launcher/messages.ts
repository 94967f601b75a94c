/** A request from the gateway to the process that starts others for it. */
export type LaunchRequest =
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly args: readonly string[];
      readonly environment: Readonly<Record<string, string | undefined>>;
    }
  | { readonly kind: 'kill'; readonly id: number };

/** A message from that process. `stream` comes with its socket. `started` comes after all three sockets have been handed over. */
export type LaunchNews =
  | { readonly kind: 'stream'; readonly id: number; readonly name: 'stdout' | 'stderr' | 'wire' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'ended'; readonly id: number; readonly why: string };
