// Components through esbuild: what they import, what they compile to, and what is rendered.
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const kWeb = join(dirname(fileURLToPath(import.meta.url)), '..');
const kAllowed = 'A component may import react, svc/client and other components such as ./Other, nothing else.';

// A finding from a message of esbuild, whose columns count from 0.
function finding(message, folder) {
  const at = message.location;
  const own = at && dirname(join(folder, at.file)) === join(folder, 'components');
  return { component: own ? basename(at.file, '.tsx') : undefined, line: at?.line ?? 1, column: (at?.column ?? 0) + 1, message: message.text };
}

export class Bundler {
  constructor(folder, job, jsx = `svc-jsx-${randomBytes(8).toString('hex')}`) {
    this.folder = folder;
    this.job = job;
    this.names = new Set(job.components.map(({ name }) => name));
    // What the compiler itself imports for an element has a name that nobody can write.
    this.jsx = jsx;
  }

  source(name) { return join(this.folder, 'components', `${name}.tsx`); }

  gated() { return this.job.components.filter(({ gated }) => gated).map(({ name }) => name); }

  // Resolves an import in a component's own file.
  resolve({ path, kind }, ask) {
    if (kind !== 'import-statement') return { errors: [{ text: `${kind === 'dynamic-import' ? 'import()' : 'require()'} is not allowed. ${kAllowed}` }] };
    if (path === 'react') return ask('preact/compat');
    if (path === 'svc/client') return { path: join(this.folder, 'svc', 'client.ts') };
    if (path === `${this.jsx}/jsx-runtime`) return ask('preact/jsx-runtime');
    const other = /^\.\/([A-Z][A-Za-z0-9]*)$/.exec(path)?.[1];
    if (other && this.names.has(other)) return { path: this.source(other) };
    const text = other ? `There is no component ${other}.` : `"${path}" cannot be imported. ${kAllowed}`;
    return { errors: [{ text }] };
  }

  plugin() {
    const components = join(this.folder, 'components');
    return {
      name: 'svc',
      setup: (build) => {
        const ask = (path) => build.resolve(path, { resolveDir: kWeb, kind: 'import-statement' });
        build.onResolve({ filter: /.*/ }, (args) => {
          if (args.resolveDir === kWeb) return undefined;
          if (args.kind === 'entry-point') return undefined;
          if (args.importer && dirname(args.importer) === components) return this.resolve(args, ask);
          return /^(preact|react)([-/]|$)/.test(args.path) ? ask(args.path === 'react' ? 'preact/compat' : args.path) : undefined;
        });
      },
    };
  }

  async build(options) {
    try {
      return { ...await build({
        absWorkingDir: this.folder, bundle: true, write: false, metafile: true, logLevel: 'silent', platform: 'browser', target: 'es2022', charset: 'utf8',
        jsx: 'automatic', jsxImportSource: this.jsx, legalComments: 'none', define: { 'process.env.NODE_ENV': '"production"' }, plugins: [this.plugin()],
        tsconfigRaw: '{}', ...options,
      }), problems: [] };
    } catch (error) {
      if (!Array.isArray(error.errors)) throw error;
      return { problems: error.errors };
    }
  }

  // Static: what esbuild itself found to be imported.
  async imports() {
    const { problems, metafile } = await this.build({ entryPoints: this.gated().map((name) => this.source(name)), format: 'esm', outdir: 'out' });
    // A file that is no TSX at all is not a wrong import.
    const ours = problems.filter(({ pluginName }) => pluginName === 'svc');
    const told = ours.length > 0 ? ours : problems;
    const stage = ours.length > 0 ? 'static' : 'compile';
    return told.length > 0 ? told.map((one) => ({ ...finding(one, this.folder), stage })) : this.strangers(metafile);
  }

  strangers(metafile) {
    const fine = [this.folder, join(kWeb, 'node_modules/preact'), join(kWeb, 'node_modules/preact-render-to-string')];
    return Object.keys(metafile.inputs).filter((file) => !fine.some((place) => join(this.folder, file).startsWith(`${place}/`)))
      .map((file) => ({ line: 1, column: 1, message: `"${file}" cannot be imported. ${kAllowed}` }));
  }

  async compile() {
    const { problems } = await this.build({ entryPoints: this.gated().map((name) => this.source(name)), format: 'esm', outdir: 'out', minify: true });
    return problems.map((one) => finding(one, this.folder));
  }

  // Modules that import each other by name: the one that mounts, one for each component that a page shows, and what
  // several of them share. `text` by the path that `outputs` says what it imports by.
  async pack() {
    const { problems, outputFiles, metafile } = await this.build({
      entryPoints: { mount: join(this.folder, 'svc', 'mount.js') }, format: 'esm', splitting: true, minify: true, outdir: join(this.folder, 'out'),
      entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]',
    });
    if (problems.length > 0) throw new Error(problems.map(({ text }) => text).join('\n'));
    return { outputs: metafile.outputs, text: new Map(outputFiles.map(({ path, text }) => [relative(this.folder, path), text])) };
  }

  // A script that leaves svcBundle.default: text of the props → HTML; with its source map.
  async toRender(name) {
    const contents = `import Component from ${JSON.stringify(this.source(name))};
import { h } from 'preact'; import { renderToString } from 'preact-render-to-string';
export default (props) => renderToString(h(Component, JSON.parse(props)));`;
    const { outputFiles } = await this.build({ stdin: { contents, resolveDir: kWeb, sourcefile: 'render.js' }, format: 'iife', globalName: 'svcBundle', sourcemap: 'external', outfile: 'out.js' });
    const text = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text;
    return { script: text('.js'), map: JSON.parse(text('.js.map')) };
  }
}
