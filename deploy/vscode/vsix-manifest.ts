/** The members of an extension's `package.json` that its VSIX manifest repeats. */
export interface ExtensionManifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly extensionKind: readonly string[];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const header = '<?xml version="1.0" encoding="utf-8"?>\n';

const code = 'Microsoft.VisualStudio.Code';
const services = 'Microsoft.VisualStudio.Services';

/** The files of the package by the asset type that VS Code knows them by. */
const assets: Readonly<Record<string, string>> = {
  [`${code}.Manifest`]: 'extension/package.json',
  [`${services}.Content.Details`]: 'extension/README.md',
  [`${services}.Content.License`]: 'extension/LICENSE.txt',
};

/** Returns `extension.vsixmanifest` as `vsce` writes it, in version 2.0.0 of Microsoft's schema of VSIX packages. */
export const vsixManifest = (manifest: ExtensionManifest): string => {
  const { name, displayName, description, version, publisher, engines, categories, keywords, extensionKind } = manifest;
  const properties = {
    [`${code}.Engine`]: engines.vscode,
    [`${code}.ExtensionDependencies`]: '',
    [`${code}.ExtensionPack`]: '',
    [`${code}.ExtensionKind`]: extensionKind.join(','),
    [`${code}.ExecutesCode`]: 'true',
    [`${services}.GitHubFlavoredMarkdown`]: 'true',
    [`${services}.Content.Pricing`]: 'Free',
  };
  const listed = Object.entries(properties)
    .map(([id, value]) => `      <Property Id="${id}" Value="${escaped(value)}" />\n`)
    .join('');
  const files = Object.entries(assets)
    .map(([type, file]) => `    <Asset Type="${type}" Path="${file}" Addressable="true" />\n`)
    .join('');
  return `${header}<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
${listed}    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="${code}" />
  </Installation>
  <Dependencies />
  <Assets>
${files}  </Assets>
</PackageManifest>
`;
};

const contentTypes: Readonly<Record<string, string>> = {
  cjs: 'application/javascript',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
};

/** Returns `[Content_Types].xml` of the Open Packaging Conventions: the type of each file by its extension. */
export const contentTypesXml = (files: readonly string[]): string => {
  const endings = [...new Set(files.map((file) => file.slice(file.lastIndexOf('.') + 1)))].sort();
  const rows = endings.map((ending) => {
    const type = contentTypes[ending];
    if (type === undefined) throw new Error(`The content type of files that end in .${ending} is not known.`);
    return `<Default Extension=".${ending}" ContentType="${type}"/>`;
  });
  return `${header}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>\n`;
};
