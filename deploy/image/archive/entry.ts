/** A file, a folder or a symbolic link of a layer. Paths have no slash at their beginning or end. */
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
  /** Whether it belongs to the user of the image, who alone may read it; all else belongs to root, and everybody may read it. */
  readonly isOwned?: boolean;
}

export interface LinkEntry {
  readonly kind: 'link';
  readonly path: string;
  readonly target: string;
}

/** The user of the image, who has no name: `nonroot` of distroless images has the same number. */
export const imageUser = 65532;

export const textFile = (path: string, text: string): FileEntry => ({
  kind: 'file',
  path,
  data: new TextEncoder().encode(text),
});
