/** A file, a folder or a symbolic link of a layer. Paths do not start or end with a slash. */
export type Entry = FileEntry | FolderEntry | LinkEntry;

export interface FileEntry {
  readonly kind: 'file';
  readonly path: string;
  readonly data: Uint8Array;
  readonly isProgram?: boolean;
}

export interface FolderEntry {
  readonly kind: 'folder';
  readonly path: string;
  /** Whether the folder belongs to the image's user, and only that user may read it. Everything else is root's, and public. */
  readonly isOwned?: boolean;
}

export interface LinkEntry {
  readonly kind: 'link';
  readonly path: string;
  readonly target: string;
}

/** The number of the image's user, the same as that of `nonroot` in distroless images. */
export const imageUser = 65532;

export const textFile = (path: string, text: string): FileEntry => ({
  kind: 'file',
  path,
  data: new TextEncoder().encode(text),
});
