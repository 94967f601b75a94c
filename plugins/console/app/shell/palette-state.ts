import { signal } from '@preact/signals';

/** Whether the palette of commands is shown. */
export const isPaletteOpen = signal(false);
